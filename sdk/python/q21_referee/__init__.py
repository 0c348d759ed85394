"""What a team's referee is: four methods. Agon calls them and does everything else."""

from abc import ABC, abstractmethod

__all__ = ["RefereeAI"]


class RefereeAI(ABC):
    """Every method takes one dict: the data under "dynamic", the call itself under "service".

    ctx["dynamic"] has season_id, league_id, game_id, match_id, referee_id, round_number and
    round_id in every call.
    """

    @abstractmethod
    def get_warmup_question(self, ctx):
        """dynamic: player_a_id, player_a_email, player_b_id, player_b_email.

        Returns {"warmup_question": str of 5 characters or more}.
        """

    @abstractmethod
    def get_round_start_info(self, ctx):
        """dynamic: player_a and player_b, each {"id", "email", "warmup_answer"}.

        Returns {"book_name", "book_hint" (10 to 200 characters), "association_word"}. With
        "opening_sentence" and "associative_word" as well, later calls get the secrets back, even
        in another process. They are told to nobody else.
        """

    @abstractmethod
    def get_answers(self, ctx):
        """dynamic: player_id, player_email, the book, and questions.

        Returns {"answers": [{"question_number": 1, "answer": "A"}, ...]}; an answer is "A", "B",
        "C", "D" or "Not Relevant".
        """

    @abstractmethod
    def get_score_feedback(self, ctx):
        """dynamic: player_id, player_email, the book, actual_opening_sentence,
        actual_associative_word, and player_guess.

        Returns {"league_points", "private_score", "breakdown": {"opening_sentence_score",
        "sentence_justification_score", "associative_word_score", "word_justification_score"},
        "feedback": {"opening_sentence", "associative_word"}}.
        """
