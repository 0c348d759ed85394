"""The smallest player: 23 lines, 20 without imports and arguments. `player.py` does the same and explains itself.

    python3 examples/smallest_player.py http://127.0.0.1:8000/mcp 8106 "Tiny"
"""
import json, random, sys, time, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
manager, port, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
me, chosen = {"protocol": "league.v2", "sender": f"player:{name}"}, {}
kinds = {"handle_game_invitation": "GAME_JOIN_ACK", "choose_parity": "CHOOSE_PARITY_RESPONSE"}
def say(kind, talk, **fields):
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    return {**me, "message_type": kind, "timestamp": now, "arrival_timestamp": now, "conversation_id": talk, **fields}
class Player(BaseHTTPRequestHandler):
    def do_POST(self):
        call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said, result, self.server.last = call["params"], {"status": "acknowledged"}, call["method"]
        if call["method"] in kinds:
            choice = chosen.setdefault(said["conversation_id"], random.choice(["even", "odd"]))
            result = say(kinds[call["method"]], said["conversation_id"], match_id=said["match_id"], accept=True, parity_choice=choice)
        self.send_response(200), self.end_headers()
        self.wfile.write(json.dumps({"jsonrpc": "2.0", "result": result, "id": call["id"]}).encode())
server = HTTPServer(("127.0.0.1", port), Player)
server.last, meta = "", {"display_name": name, "version": "1", "game_types": ["even_odd"], "contact_endpoint": f"http://127.0.0.1:{server.server_port}/mcp"}
ask = {"jsonrpc": "2.0", "method": "register_player", "id": 1, "params": say("LEAGUE_REGISTER_REQUEST", f"conv-{name}-reg", player_meta=meta)}
me["player_id"] = json.load(urllib.request.urlopen(manager, json.dumps(ask).encode(), 10))["result"]["player_id"]
me["sender"] = "player:" + me["player_id"]
while server.last != "notify_league_completed": server.handle_request()
