"""A client of DRES as teams write them: it signs in, follows the active
evaluation from task to task, submits a wrong and a right answer to each, logs
what it asked for, and signs out.

usage: client.py BASE USERNAME PASSWORD ANSWERS cookie|query

ANSWERS is JSON: for each task its wrong and its right body. What came is
printed, a line for each task.
"""

import json
import sys
import time

import requests

base, username, password, answers, how = sys.argv[1:]
answers = json.loads(answers)
client = requests.Session()
reply = client.post(base + "/api/v2/login", json={"username": username, "password": password}, timeout=10)
reply.raise_for_status()
params = {}
if how == "query":
    client.cookies.clear()
    params = {"session": reply.json()["sessionId"]}


def ask(path):
    reply = client.get(base + "/api/v2" + path, params=params, timeout=10)
    reply.raise_for_status()
    return reply.json()


def send(path, body):
    return client.post(base + "/api/v2" + path, params=params, json=body, timeout=10)


evaluation = next(e for e in ask("/client/evaluation/list") if e["status"] == "ACTIVE")["id"]
until = time.monotonic() + 60
while answers and time.monotonic() < until:
    task = ask("/client/evaluation/currentTask/" + evaluation)
    if task["name"] not in answers or ask("/evaluation/" + evaluation + "/state")["taskStatus"] != "RUNNING":
        time.sleep(0.02)
        continue
    event = {"timestamp": int(time.time() * 1000), "category": "TEXT", "type": "caption", "value": "chợ nổi"}
    came = [send("/log/query/" + evaluation, {"timestamp": event["timestamp"], "events": [event]}).status_code]
    wrong, right = answers.pop(task["name"])
    for body in (wrong, right, right):
        reply = send("/submit/" + evaluation, json.loads(body))
        came += [reply.status_code, reply.json().get("submission", "-")]
    print(task["name"], task["taskType"], *came)
print(ask("/logout")["status"], client.get(base + "/api/v2/user", params=params, timeout=10).status_code)
