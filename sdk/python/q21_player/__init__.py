"""What a team's player is: four methods. Agon calls them and does everything else."""

from abc import ABC, abstractmethod

__all__ = ["PlayerAI"]


class PlayerAI(ABC):
    """Every method takes one dict: the data under "dynamic", the call itself under "service".

    ctx["service"] has "match_id", "game_id" and "standings" in every call.
    """

    @abstractmethod
    def get_warmup_answer(self, ctx):
        """dynamic: warmup_question. Returns {"answer": str}."""

    @abstractmethod
    def get_questions(self, ctx):
        """dynamic: book_name, book_hint, association_word.

        Returns {"questions": [...]}, twenty of {"question_number": 1, "question_text": "...",
        "options": {"A": "...", "B": "...", "C": "...", "D": "..."}}.
        """

    @abstractmethod
    def get_guess(self, ctx):
        """dynamic: book_name, book_hint, association_word, answers, questions_sent.

        Returns {"opening_sentence", "sentence_justification" (30 to 50 words),
        "associative_word", "word_justification" (20 to 30 words), "confidence" (0 to 1)}.
        """

    @abstractmethod
    def on_score_received(self, ctx):
        """dynamic: league_points, private_score, breakdown, feedback, match_id. Returns nothing."""
