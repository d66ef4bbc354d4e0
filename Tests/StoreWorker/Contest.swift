import CoreData
import CoreDataTool
import Foundation
import Interposer

/// Two operations on one store in two processes: the first is stopped at one of its calls, the second does
/// its whole work, and then the first goes on. Each succeeds or says that somebody was in its way, and what
/// is there in the end is as if those that succeeded had come one after the other.
struct Contest {
    /// What came of operations: which succeeded, and what is there.
    private struct Outcome: Hashable {
        let succeeded: Set<Int>
        let contents: [String: String]
    }

    let operations: [Operation]
    let type: String
    let scratch: Scratch
    private let template: URL
    /// How many calls the first makes if nobody is in its way.
    let calls: Int
    private var allowed: Set<Outcome> = []
    private var listings: [[String: String]: Set<[String]>] = [:]

    /// Whether two operations may meet: both find the same before, and leave stores of its type. Operations
    /// that make stores of two types at one place are not tried, since they can get in each other's way:
    /// `DIVERGENCES.md` says how.
    static func meet(_ first: Operation, _ second: Operation, _ type: String) -> Bool {
        first.start == second.start && first.types.contains(type) && second.types.contains(type)
            && first.carrier == second.carrier && first.isContested && second.isContested
            && [first, second].allSatisfy {
                ($0.resultType ?? Operation.storeType(type)) == Operation.storeType(type)
            }
    }

    init(_ first: Operation, _ second: Operation, _ type: String, _ scratch: Scratch) {
        operations = [first, second]
        self.type = type
        self.scratch = scratch
        template = scratch.folder()
        let place = Place(folder: template, type: Operation.storeType(type))
        _ = Child.result(of: "preparing") { [operations] in
            var scene = operations[0]
            scene.hasSource = operations.contains { $0.hasSource }
            try scene.prepare(place)
            return ""
        }
        let clean = Place(folder: scratch.copy(template), type: place.type)
        calls = Rehearsal.calls(of: first, in: clean)
        scratch.remove(clean.folder)
        for order in [[], [0], [1], [0, 1], [1, 0]] { note(order) }
    }

    /// Does the operations in an order, undisturbed.
    private mutating func note(_ order: [Int]) {
        let place = Place(folder: scratch.copy(template), type: Operation.storeType(type))
        defer { scratch.remove(place.folder) }
        var succeeded: Set<Int> = []
        for index in order {
            let ending = Child { [operations] in
                try operations[index].begin(place)()
                return ""
            }.ended()
            if case .returned = ending { succeeded.insert(index) }
        }
        let contents = Rehearsal.decode(
            Child.result(of: "looking") { Rehearsal.encode(try place.contents()) })
        allowed.insert(Outcome(succeeded: succeeded, contents: contents))
        let files = Child.result(of: "using") {
            try Self.use(place)
            return place.listing().joined(separator: "\n")
        }
        listings[contents, default: []].insert(files.components(separatedBy: "\n"))
    }

    func end() { scratch.remove(template) }

    // MARK: One contest

    func problems(at call: Int) -> [String] {
        var place = Place(folder: scratch.copy(template), type: Operation.storeType(type))
        defer { scratch.remove(place.folder) }
        let (held, released) = (Pipe(), Pipe())
        let first = Child { [operations] in
            let body = try operations[0].begin(place)
            interposer_arm(
                place.folder.path, interposer_hold, Int32(call), 0, held.fileHandleForWriting.fileDescriptor,
                released.fileHandleForReading.fileDescriptor)
            defer {
                interposer_disarm()
                // It may end without being stopped.
                held.fileHandleForWriting.write(Data([1]))
            }
            try body()
            return ""
        }
        _ = held.fileHandleForReading.readData(ofLength: 1)
        place.timeout = 0.05
        let second = Child { [operations, place] in
            try operations[1].begin(place)()
            return ""
        }
        let end = second.ended()
        released.fileHandleForWriting.write(Data([1]))
        var problems: [String] = []
        var succeeded: Set<Int> = []
        for (index, ending) in [(1, end), (0, first.ended())] {
            switch ending {
            case .returned: succeeded.insert(index)
            case .threw(let text) where Self.names(text): break
            default: problems.append("\(operations[index].name): \(ending)")
            }
        }
        if !problems.isEmpty { return problems }
        let found = Child { [place] in Rehearsal.encode(try place.contents()) }.ended()
        guard case .returned(let text) = found else { return ["the stores cannot be opened: \(found)"] }
        let outcome = Outcome(succeeded: succeeded, contents: Rehearsal.decode(text))
        if !allowed.contains(outcome) {
            let names = succeeded.sorted().map { operations[$0].name }
            problems.append("\(names) succeeded, and \(outcome.contents["store"] ?? "") is there")
        }
        let use = Child { [place] in
            try Self.use(place)
            return place.listing().joined(separator: "\n")
        }.ended()
        guard case .returned(let text) = use else { return problems + ["the store cannot be used: \(use)"] }
        let files = text.components(separatedBy: "\n")
        if let expected = listings[outcome.contents], !expected.contains(files) {
            problems.append("these files are there: \(files), not \(expected)")
        }
        return problems
    }

    /// Whether an error says that somebody else was in the way.
    private static func names(_ error: String) -> Bool {
        [
            NSPersistentStoreTimeoutError, NSPersistentStoreSaveError,
            NSPersistentStoreIncompatibleVersionHashError, CocoaError.Code.fileWriteFileExists.rawValue,
        ].contains { error.hasPrefix("NSCocoaErrorDomain \($0):") }
            // A migration has the reason of what went wrong behind its own code.
            || ["database is locked", "somebody else", "is there already"].contains(where: error.contains)
    }

    /// Opens and changes whatever is there.
    private static func use(_ place: Place) throws {
        let words = try place.content(of: place.store).components(separatedBy: " ")
        let version = Items.Version.allCases.first { words.count > 1 && "\($0)" == words[1] }
        try Rehearsal.use(place, version ?? .first, type: words[0] == "nothing" ? nil : words[0])
    }
}
