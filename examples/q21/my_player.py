"""A small player for a Q21 league: four methods, ready to be made better.

    agon player --game q21 --ai examples/q21/my_player.py:MyPlayerAI

Whatever is printed stands in the log of the player, on stderr.
"""

from q21_player import PlayerAI

TOPICS = ["the sea", "a city", "a house", "the mountains", "night", "winter", "rain", "a machine",
          "an animal", "music", "food", "a letter", "a quarrel", "love", "a journey", "work",
          "science", "children", "an old person", "something that cannot be"]


class MyPlayerAI(PlayerAI):
    def get_warmup_answer(self, ctx):
        # Only to see that you are there: it is not judged.
        return {"answer": "4"}

    def get_questions(self, ctx):
        options = {"A": "yes", "B": "no", "C": "partly", "D": "unknown"}
        return {
            "questions": [
                {
                    "question_number": number,
                    "question_text": f"Is the passage about {topic}?",
                    "options": options,
                }
                for number, topic in enumerate(TOPICS, start=1)
            ]
        }

    def get_guess(self, ctx):
        clues = ctx["dynamic"]
        asked = {q["question_number"]: q["question_text"] for q in clues["questions_sent"]}
        found = [
            asked[a["question_number"]].removeprefix("Is the passage about ").rstrip("?")
            for a in clues["answers"]
            if a["answer"] in ("A", "C") and a["question_number"] in asked
        ]
        topics = ", ".join(found[:4]) or "nothing that I asked about"
        hint = " ".join(clues["book_hint"].split()[:8])
        return {
            "opening_sentence": f"There was a story about {topics}.",
            "sentence_justification": (  # 30 to 50 words.
                f"The hint says {hint}, and the answers say that the passage is about {topics}. "
                "A first sentence usually names its place and its persons, therefore I put what "
                "was confirmed into one short sentence."
            ),
            "associative_word": clues["association_word"],
            "word_justification": (  # 20 to 30 words.
                f"The domain is {clues['association_word']}, and I had no question left to ask "
                "for single members of it, therefore its own name is the best that I can offer."
            ),
            "confidence": len(found) / 20,
        }

    def on_score_received(self, ctx):
        score, standings = ctx["dynamic"], ctx["service"]["standings"]
        print(ctx["service"]["match_id"], score["private_score"], "of 100; played so far:",
              standings["games_played"])
