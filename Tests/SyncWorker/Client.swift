import CoreData
import CoreDataSync
import Foundation

/// A client that writes at random while the folder says so, and otherwise waits until its store and the server agree.
///
/// The folder's file `quiet` has the number of the round for which clients are to stop writing; while it is missing
/// they write. Then each puts what its store shows into a file of its own, which the runner compares.
struct Client {
    /// How many cells and tallies there are: few, so that clients often write the same.
    private static let places = 6
    /// How many leaves there are before rather one is deleted than added.
    private static let leaves = 12
    /// The longest pause between two writes, in milliseconds.
    private static let pause = 400

    let name: String
    let folder: URL
    let store: WorkStore
    private let history: HistoryFile
    private var random: SplitMix

    init(_ name: String, in folder: URL, server: URL, seed: UInt64) throws {
        self.name = name
        self.folder = folder
        history = try HistoryFile(name, in: folder)
        random = SplitMix(state: seed)
        store = try WorkStore(
            at: folder.appendingPathComponent("\(name).sqlite"), server: server, device: name)
        try history.add(.start)
    }

    /// The round for which the folder wants clients to be quiet.
    private var round: Int? {
        let text = try? String(contentsOf: folder.appendingPathComponent("quiet"), encoding: .utf8)
        return text.flatMap { Int($0.filter(\.isNumber)) }
    }

    /// Runs until the process is killed.
    mutating func run() async throws {
        while true {
            if let round {
                try await settle(round)
            } else {
                do {
                    try await write()
                } catch CocoaError.managedObjectMerge {
                } catch CocoaError.managedObjectConstraintMerge {}
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...Self.pause, using: &random)))
            }
        }
    }

    // MARK: Writing

    private mutating func write() async throws {
        let (name, history, seed) = (name, history, random.next())
        try await store.look { view, context in
            try history.add(.read(view))
            let write = Self.write(of: name, view, seed)
            try history.add(.begin(write))
            do {
                try WorkStore.save(write, in: context)
            } catch {
                try history.add(.failed(write.number))
                throw error
            }
            try history.add(.done(write.number))
        }
    }

    private static func write(of client: String, _ view: View, _ seed: UInt64) -> Write {
        var random = SplitMix(state: seed)
        func place(_ kind: String) -> String { "\(kind)\(Int.random(in: 0..<places, using: &random))" }
        var write = Write(
            client: client, number: (view.entries[client]?.last ?? 0) + 1, cell: place("cell"),
            tally: place("tally"), amount: Int.random(in: 1...9, using: &random), addsLeaf: false)
        write.over = view.cells[write.cell]?.left
        switch Int.random(in: 0..<8, using: &random) {
        case 0...2 where view.leaves.count < leaves: write.addsLeaf = true
        case 0...4: write.deletes = view.leaves.randomElement(using: &random)
        default: break
        }
        return write
    }

    // MARK: Waiting

    /// Syncs until everything is sent and read, and says what the store shows.
    private func settle(_ round: Int) async throws {
        let synchronizer = await store.container.synchronizer
        let file = folder.appendingPathComponent("\(name).view")
        do {
            try await synchronizer.syncNow()
            guard try await synchronizer.pendingCount == 0 else { return }
        } catch {
            FileHandle.standardError.write(Data("\(name), round \(round): \(error)\n".utf8))
            try await Task.sleep(for: .milliseconds(200))
            return
        }
        let view = try await store.look { view, _ in view }
        try history.add(.quiet(round: round, view))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = try encoder.encode(view)
        try (Data("\(round) ".utf8) + text + Data("\n".utf8)).write(to: file, options: .atomic)
        try await Task.sleep(for: .milliseconds(300))
    }
}

/// Numbers that a seed decides (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
