"""A client of DRES as teams write them: it signs in, looks for the active
evaluation and its task, submits a wrong and a right answer, and signs out.

usage: client.py BASE USERNAME PASSWORD WRONG RIGHT cookie|query

WRONG and RIGHT are bodies of submissions. What came is printed, a line each.
"""

import json
import sys

import requests

base, username, password, wrong, right, how = sys.argv[1:]
client = requests.Session()
reply = client.post(base + "/api/v2/login", json={"username": username, "password": password}, timeout=10)
reply.raise_for_status()
session = reply.json()["sessionId"]
params = {}
if how == "query":
    client.cookies.clear()
    params = {"session": session}


def ask(path):
    reply = client.get(base + path, params=params, timeout=10)
    reply.raise_for_status()
    return reply.json()


evaluation = next(e for e in ask("/api/v2/client/evaluation/list") if e["status"] == "ACTIVE")
task = ask("/api/v2/client/evaluation/currentTask/" + evaluation["id"])
print(task["taskType"], ask("/api/v2/evaluation/" + evaluation["id"] + "/state")["taskStatus"])
for body in (wrong, right, right):
    reply = client.post(base + "/api/v2/submit/" + evaluation["id"], params=params, json=json.loads(body), timeout=10)
    print(reply.status_code, reply.json().get("submission", reply.json()["status"]))
print(ask("/api/v2/logout")["status"])
print(client.get(base + "/api/v2/user", params=params, timeout=10).status_code)
