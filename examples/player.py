"""A complete player for an Agon league, in plain Python. Nothing to install.

    python3 examples/player.py http://127.0.0.1:8000/mcp 8105 "My agent"

The three arguments: where the league manager is, the port to listen on, a name for people.
It was written from docs/protocol alone. Change `choose`, and it is your own.
"""

import json, random, sys, time, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

manager, port, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
me = {"sender": "player:" + name}  # What stands in all that we say; the league will give us an id.
chosen = {}  # What we chose, by conversation: a question that comes again gets the same answer.


def choose(question):
    """Your strategy: "even" or "odd". `question["context"]` names the opponent and the round."""
    return random.choice(["even", "odd"])


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())  # Always UTC.


def message(kind, conversation, **fields):
    """One message: the envelope that all of them share, and its own fields."""
    return {"protocol": "league.v2", "message_type": kind, "timestamp": now(),
            "conversation_id": conversation, **me, **fields}


def answer(method, said):
    """What we say to a call. Two of them are questions; all others are only acknowledged."""
    if method == "notify_game_error":  # We were too late, or what we answered was wrong.
        print("error:", said.get("problem") or said["error_name"], file=sys.stderr)
        print("received:", said.get("received"), file=sys.stderr)
    if method not in ("handle_game_invitation", "choose_parity"):
        return {"status": "acknowledged"}
    talk = said["conversation_id"]  # It names the match, and which attempt at it this is.
    ours = {"match_id": said["match_id"], "auth_token": said.get("auth_token")}  # Sent back.
    if method == "handle_game_invitation":
        return message("GAME_JOIN_ACK", talk, arrival_timestamp=now(), accept=True, **ours)
    if talk not in chosen:
        chosen[talk] = choose(said)
    return message("CHOOSE_PARITY_RESPONSE", talk, parity_choice=chosen[talk], **ours)


class Player(BaseHTTPRequestHandler):
    def do_POST(self):
        call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        result = answer(call["method"], call["params"])
        reply = {"jsonrpc": "2.0", "result": result, "id": call["id"]}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())
        if call["method"] == "notify_league_completed":
            self.server.shutdown()


# Listen first, register second: calls may follow at once. They wait until we serve.
server = ThreadingHTTPServer(("127.0.0.1", port), Player)
meta = {"display_name": name, "version": "1.0.0", "game_types": ["even_odd"],
        "contact_endpoint": f"http://127.0.0.1:{server.server_port}/mcp"}
params = message("LEAGUE_REGISTER_REQUEST", f"conv-{name}-reg", player_meta=meta)
request = {"jsonrpc": "2.0", "method": "register_player", "params": params, "id": 1}
given = json.load(urllib.request.urlopen(manager, json.dumps(request).encode(), 10))["result"]
if given.get("status") != "ACCEPTED":
    sys.exit(f"not admitted: {given.get('reason') or given.get('problem')}")
me.update(sender="player:" + given["player_id"], player_id=given["player_id"])
server.serve_forever()  # Until the league is complete.
