"""A stand-in for OpenML: a small server with pages in OpenML's own formats, oddities included."""

import contextlib
import hashlib
import io
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pandas as pd

FLOWERS = """\
% 1. Title: flowers
@RELATION flowers

@ATTRIBUTE 'sepal length'\tREAL
@ATTRIBUTE colour {red, 'dark blue', "it\\'s", TRUE}
@ATTRIBUTE id INTEGER
@ATTRIBUTE who string
@ATTRIBUTE "when" date "yyyy-MM-dd"
@ATTRIBUTE class {Iris-setosa,Iris-versicolor}
@DATA
"""


def flower_rows(n=30):
    rng = np.random.default_rng(3)
    colours = ["red", "'dark blue'", '"it\\\'s"', "TRUE", "?"]
    for i in range(n):
        x = "?" if i == 7 else repr(float(rng.normal() + i % 2))
        day = f"2020-01-{i % 28 + 1:02d}"
        kind = "Iris-versicolor" if i % 2 else "Iris-setosa"
        yield f"{x}, {colours[i % 5]},{i},'p {i % 3}',{day},{kind}"


ARFF = FLOWERS + "% a comment\n" + "\n".join(flower_rows()) + "\n"
SPARSE = """\
@relation sparse
@attribute a numeric
@attribute b numeric
@attribute y {no,yes}
@data
{0 1.5,2 yes}
{1 2}
{}
{0 3, 1 -1, 2 yes}
"""


def description(server, number, arff, **more):
    """A page of api/v1/json/data: numbers are texts, a list of one is no list."""
    return {
        "data_set_description": {
            "id": str(number),
            "name": f"flowers{number}",
            "version": "1",
            "format": "ARFF",
            "url": f"{server}/data/v1/download/{number}/flowers.arff",
            "file_id": str(number),
            "default_target_attribute": "class",
            "tag": "study_1",
            "status": "active",
            "md5_checksum": hashlib.md5(arff.encode()).hexdigest(),
            **more,
        }
    }


KINDS = {
    "sepal length": "numeric",
    "colour": "nominal",
    "id": "numeric",
    "who": "string",
    "when": "date",
    "class": "nominal",
}
LEVELS = {
    "colour": ["red", "dark blue", "it's", "TRUE"],
    "class": ["Iris-setosa", "Iris-versicolor"],
}


def features(**levels):
    """A page of api/v1/json/data/features: what the columns of the flowers are declared as."""
    stated = LEVELS | levels
    found = [
        {"index": str(j), "name": name, "data_type": kind}
        | ({"nominal_value": stated[name]} if name in stated else {})
        for j, (name, kind) in enumerate(KINDS.items())
    ]
    return {"data_features": {"feature": found}}


def parquet(table):
    """A table of flowers as OpenML's Parquet files have it: narrow types, truth values, moments."""
    colour = table["colour"].astype(object).replace("TRUE", True).astype(str)
    made = table.assign(
        colour=colour.where(table["colour"].notna(), None),
        when=pd.to_datetime(table["when"], unit="s"),
        id=table["id"].astype(np.uint8),
        **{"class": table["class"].astype(str)},
    )
    file = io.BytesIO()
    made.to_parquet(file)
    return file.getvalue()


def task(server, number, data, target="class", kind="Supervised Classification", percentage=None):
    parameters = [{"name": "number_repeats", "value": "1"}, {"name": "number_folds", "value": "5"}]
    # OpenML leaves out the value of a parameter that is empty
    parameters += [{"name": "percentage"} | ({"value": percentage} if percentage else {})]
    procedure = {
        "id": "1",
        "type": "crossvalidation",
        "data_splits_url": f"{server}/api_splits/get/{number}/Task_{number}_splits.arff",
        "parameter": parameters,
    }
    return {
        "task": {
            "task_id": str(number),
            "task_name": f"Task {number}",
            "task_type_id": "1",
            "task_type": kind,
            "input": [
                {
                    "name": "source_data",
                    "data_set": {"data_set_id": str(data), "target_feature": target},
                },
                {"name": "estimation_procedure", "estimation_procedure": procedure},
                {"name": "cost_matrix", "cost_matrix": []},
                {"name": "evaluation_measures", "evaluation_measures": {"evaluation_measure": []}},
            ],
        }
    }


def split_rows(n, repeats=1, folds=5, seed=0, test_share=None):
    """Rows (type, rowid, repeat, fold) as OpenML makes them: from 0, in a random order."""
    rng = np.random.default_rng(seed)
    for repeat in range(repeats):
        order = rng.permutation(n)
        fold_of = np.arange(n) % folds if test_share is None else np.arange(n) >= n * test_share
        for fold in range(folds):
            yield from (("TRAIN", r, repeat, fold) for r in order[fold_of != fold])
            yield from (("TEST", r, repeat, fold) for r in order[fold_of == fold])


def splits_arff(rows):
    head = (
        "@relation t_splits\n\n@attribute type {TRAIN,TEST}\n@attribute rowid numeric\n"
        "@attribute repeat numeric\n@attribute fold numeric\n\n@data\n"
    )
    return head + "".join(f"{t},{r},{repeat},{fold}\n" for t, r, repeat, fold in rows)


def failure(code, message):
    return json.dumps({"error": {"code": str(code), "message": message}})


class StandIn:
    """Pages by path: a text, an object for JSON, bytes, or a function of the request's handler."""

    def __init__(self):
        self.pages, self.asked = {}, []
        standin = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                standin.asked.append(self.path)
                page = standin.pages.get(self.path)
                if callable(page):
                    return page(self)
                if page is None:
                    return answer(self, 412, failure(111, "Unknown dataset"))
                return answer(self, 200, page)

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.root = f"http://127.0.0.1:{self._server.server_port}"
        self.url = self.root + "/api/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()

    def put_data(self, number, arff=ARFF, **more):
        self.pages[f"/api/v1/json/data/{number}"] = description(self.root, number, arff, **more)
        self.pages[f"/data/v1/download/{number}/flowers.arff"] = arff

    def put_parquet(self, number, content, key="parquet_url", **levels):
        """The same data as Parquet, too, at an address of the store beside the server."""
        place = f"/dataset{number}/dataset_{number}.pq"
        about = self.pages[f"/api/v1/json/data/{number}"]["data_set_description"]
        about[key] = self.root + place
        self.pages[f"/api/v1/json/data/features/{number}"] = features(**levels)
        self.pages[place] = content

    def put_task(self, number, data, splits=None, **more):
        self.pages[f"/api/v1/json/task/{number}"] = task(self.root, number, data, **more)
        rows = split_rows(30, seed=number) if splits is None else splits
        self.pages[f"/api_splits/get/{number}/Task_{number}_splits.arff"] = splits_arff(rows)

    def put_suite(self, number, tasks):
        listed = [str(t) for t in tasks]
        study = {"id": str(number), "main_entity_type": "task", "name": "a suite"}
        study["tasks"] = {"task_id": listed if len(listed) > 1 else listed[0]}
        self.pages[f"/api/v1/json/study/{number}"] = {"study": study}


def answer(handler, status, page, length=None):
    body = page if isinstance(page, bytes) else page.encode() if isinstance(page, str) else b""
    if isinstance(page, dict):
        body = json.dumps(page).encode()
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body) if length is None else length))
    handler.end_headers()
    with contextlib.suppress(OSError):
        handler.wfile.write(body)


def slow(seconds):
    return lambda handler: time.sleep(seconds)


def truncated(text):
    """An answer that breaks off half way."""
    return lambda handler: answer(handler, 200, text[: len(text) // 2], length=len(text))
