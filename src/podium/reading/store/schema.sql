-- One study's runs. Rows are only ever added. A session is one call of `run`; the newest definition
-- of a name is the current one.
CREATE TABLE IF NOT EXISTS sessions (
    id INTEGER PRIMARY KEY, started TEXT NOT NULL, definition TEXT NOT NULL, environment TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS datasets (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, fingerprint TEXT NOT NULL, facts TEXT NOT NULL,
    UNIQUE (name, fingerprint));
CREATE TABLE IF NOT EXISTS algorithms (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, fingerprint TEXT NOT NULL, definition TEXT NOT NULL,
    UNIQUE (name, fingerprint));
CREATE TABLE IF NOT EXISTS measures (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, spec TEXT NOT NULL, higher_is_better INTEGER NOT NULL,
    low REAL, high REAL, unit TEXT NOT NULL, UNIQUE (name, spec));
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL, session INTEGER NOT NULL, dataset INTEGER NOT NULL,
    algorithm INTEGER NOT NULL, sample INTEGER NOT NULL, failed INTEGER NOT NULL, fit_time REAL,
    predict_time REAL, warnings INTEGER NOT NULL, finished REAL NOT NULL);
CREATE TABLE IF NOT EXISTS scores (
    run INTEGER NOT NULL, measure INTEGER NOT NULL, value REAL, PRIMARY KEY (run, measure)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failures (
    run INTEGER PRIMARY KEY, exception TEXT NOT NULL, message TEXT NOT NULL, traceback TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS warnings (
    run INTEGER NOT NULL, category TEXT NOT NULL, message TEXT NOT NULL, count INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS warnings_of_run ON warnings (run);
-- what was predicted, where it is kept: arrays as zlib-compressed little-endian bytes
CREATE TABLE IF NOT EXISTS predictions (
    run INTEGER NOT NULL, split INTEGER NOT NULL, kind TEXT NOT NULL, dtype TEXT NOT NULL,
    shape TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (run, split, kind)) WITHOUT ROWID;
-- eight bytes for each run, from `first` on, or for a row that names something; see digests.py. Stores
-- of earlier versions have no such table until something is appended
CREATE TABLE IF NOT EXISTS digests (of TEXT NOT NULL, first INTEGER NOT NULL, digest BLOB NOT NULL);
