"""A small referee for a Q21 league: four methods, ready to be made better.

    agon referee --game q21 --ai examples/q21/my_referee.py:MyRefereeAI

It keeps nothing in memory: the secrets that it returns once come back with every later call, so
a restart in the middle of a game does no harm.
"""

import difflib
import re

from q21_referee import RefereeAI

SENTENCE = "The ferryman counted his passengers twice and was right only the second time."
TOPICS = {"river", "water", "boat", "ferry", "ferryman", "man", "number", "journey", "people",
          "passengers", "work", "mistake"}


def words(text):
    return set(re.findall(r"[a-z]+", text.lower()))


def likeness(one, other):
    return round(100 * difflib.SequenceMatcher(None, one.lower(), other.lower()).ratio(), 2)


def reasons(text, least, most):
    count = len(text.split())
    return 80 if least <= count <= most else 40


class MyRefereeAI(RefereeAI):
    def get_warmup_question(self, ctx):
        return {"warmup_question": "What is 2 + 2?"}

    def get_round_start_info(self, ctx):
        return {
            "book_name": "Crossings",
            "book_hint": "Careful transport across water; arithmetic fails initially",
            "association_word": "vehicle",
            # Ours alone. They are given back as actual_opening_sentence and so on.
            "opening_sentence": SENTENCE,
            "associative_word": "ferry",
        }

    def get_answers(self, ctx):
        answers = []
        for question in ctx["dynamic"]["questions"]:
            options = question["options"]
            overlap = {key: len(words(text) & TOPICS) for key, text in options.items()}
            best = max(overlap, key=overlap.get)
            if words(options["A"]) == {"yes"}:
                answer = "A" if words(question["question_text"]) & TOPICS else "B"
            else:
                answer = best if overlap[best] else "Not Relevant"
            answers.append({"question_number": question["question_number"], "answer": answer})
        return {"answers": answers}

    def get_score_feedback(self, ctx):
        game = ctx["dynamic"]
        guess = game["player_guess"]
        breakdown = {
            "opening_sentence_score": likeness(
                guess["opening_sentence"], game["actual_opening_sentence"]
            ),
            "sentence_justification_score": reasons(guess["sentence_justification"], 30, 50),
            "associative_word_score": likeness(
                guess["associative_word"], game["actual_associative_word"]
            ),
            "word_justification_score": reasons(guess["word_justification"], 20, 30),
        }
        weights = [0.5, 0.2, 0.2, 0.1]
        private = sum(part * weight for part, weight in zip(breakdown.values(), weights))
        return {
            "league_points": 0,  # The league has its own thresholds.
            "private_score": round(private, 2),
            "breakdown": breakdown,
            # Say how close it was, and never what it was.
            "feedback": {
                "opening_sentence": "Measured by how many letters agree, in their order.",
                "associative_word": "Measured in the same way.",
            },
        }
