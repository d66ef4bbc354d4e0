/// What the store of a client shows at one moment.
struct View: Codable, Hashable {
    /// A value of a cell, named after the write that wrote it, on both sides of the cell.
    struct Cell: Codable, Hashable {
        var left: String?
        var right: String?
    }

    /// The entries of each client: the number of the last one, and how many there are.
    struct Entries: Codable, Hashable {
        var last: Int
        var count: Int
    }

    var entries: [String: Entries] = [:]
    var cells: [String: Cell] = [:]
    var tallies: [String: Int] = [:]
    var leaves: [String] = []
    /// Objects of one name beyond the first.
    var doubles: [String] = []
}

/// What a client does in one save, beside adding an entry with the number of the write.
struct Write: Codable, Hashable {
    var client: String
    var number: Int
    /// Both sides of this cell get the name of the write as their value.
    var cell: String
    /// The value that the client has seen there.
    var over: String?
    var tally: String
    var amount: Int
    /// Whether a leaf with the name of the write is added.
    var addsLeaf: Bool
    /// A leaf that is deleted.
    var deletes: String?

    /// The name of the write, which is its value in all that it writes.
    var name: String { "\(client):\(number)" }
}

/// What happened at a client, as a line of its history.
enum Event: Codable, Hashable {
    /// A new process goes on with the client's store.
    case start
    case read(View)
    /// A save is about to begin.
    case begin(Write)
    /// The save has returned.
    case done(Int)
    /// The store has not made the save.
    case failed(Int)
    /// What the store shows while nobody writes, once everything was sent and read.
    case quiet(round: Int, View)
}
