import CoreDataSQL

/// The tables of the server's database.
///
/// Every key begins with the zone. A row of `item` holds an object or a pair with all of its registers, so
/// that a reader of changes reads one row an item. The tables behind it are indexes of what the rows hold.
enum ServerSchema {
    /// Raised whenever a table changes; a newer program brings an older database up to it.
    static let version = 1

    static let tables: SQLText = """
        CREATE TABLE zone (
          id INTEGER PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, header BLOB NOT NULL,
          items INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0, UNIQUE (owner, name));
        CREATE TABLE item (
          zone INTEGER NOT NULL, key BLOB NOT NULL, seq INTEGER NOT NULL, changed INTEGER NOT NULL,
          bucket INTEGER NOT NULL, gone INTEGER NOT NULL, row BLOB NOT NULL,
          PRIMARY KEY (zone, key)) WITHOUT ROWID;
        CREATE INDEX item_order ON item (zone, seq, key);
        CREATE INDEX item_bucket ON item (zone, bucket, key);
        CREATE INDEX item_gone ON item (zone, changed) WHERE gone <> 0;
        CREATE TABLE forgotten (zone INTEGER NOT NULL, hash INTEGER NOT NULL, PRIMARY KEY (zone, hash))
          WITHOUT ROWID;

        CREATE TABLE referrer (
          zone INTEGER NOT NULL, target BLOB NOT NULL, object BLOB NOT NULL, register TEXT NOT NULL,
          PRIMARY KEY (zone, target, object, register)) WITHOUT ROWID;
        CREATE TABLE partner (
          zone INTEGER NOT NULL, object BLOB NOT NULL, pair BLOB NOT NULL,
          PRIMARY KEY (zone, object, pair)) WITHOUT ROWID;
        CREATE TABLE holder (
          zone INTEGER NOT NULL, value BLOB NOT NULL, object BLOB NOT NULL,
          PRIMARY KEY (zone, value, object)) WITHOUT ROWID;
        CREATE TABLE blob_use (
          zone INTEGER NOT NULL, hash BLOB NOT NULL, item BLOB NOT NULL,
          PRIMARY KEY (zone, hash, item)) WITHOUT ROWID;

        CREATE TABLE loss (
          id INTEGER PRIMARY KEY, zone INTEGER NOT NULL, seq INTEGER NOT NULL, changed INTEGER NOT NULL,
          loser BLOB NOT NULL, row BLOB NOT NULL);
        CREATE INDEX loss_order ON loss (zone, seq, id);
        CREATE UNIQUE INDEX loss_loser ON loss (zone, loser);

        CREATE TABLE device (
          zone INTEGER NOT NULL, replica BLOB NOT NULL, row BLOB NOT NULL,
          PRIMARY KEY (zone, replica)) WITHOUT ROWID;
        CREATE TABLE receipt (
          zone INTEGER NOT NULL, receipt BLOB NOT NULL, taken INTEGER NOT NULL,
          PRIMARY KEY (zone, receipt)) WITHOUT ROWID;

        CREATE TABLE member (
          zone INTEGER NOT NULL, "user" TEXT NOT NULL, role TEXT NOT NULL,
          PRIMARY KEY (zone, "user")) WITHOUT ROWID;
        CREATE TABLE replica (
          id BLOB PRIMARY KEY, "user" TEXT NOT NULL, name TEXT NOT NULL, first INTEGER NOT NULL,
          seen INTEGER NOT NULL) WITHOUT ROWID;
        CREATE INDEX replica_user ON replica ("user");
        CREATE TABLE blob (
          zone INTEGER NOT NULL, hash BLOB NOT NULL, size INTEGER NOT NULL, stored INTEGER NOT NULL,
          PRIMARY KEY (zone, hash)) WITHOUT ROWID;
        CREATE INDEX blob_hash ON blob (hash);
        CREATE TABLE fact (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        """
}
