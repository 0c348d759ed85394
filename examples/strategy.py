"""A strategy for `agon player --strategy "exec:python3 examples/strategy.py"`.

One question a line comes in, one answer a line goes out; agon does all the rest.
This one says what its opponent said when they last met, and otherwise tosses a coin.
"""

import json
import random
import sys

for line in sys.stdin:
    question = json.loads(line)
    met = [past for past in question["history"]
           if past["opponent_id"] == question["opponent_id"] and past.get("opponent_choice")]
    choice = met[-1]["opponent_choice"] if met else random.choice(["even", "odd"])
    print(json.dumps({"choice": choice}), flush=True)
