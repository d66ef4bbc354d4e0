import CoreData
import CoreDataTool
import Foundation
import Interposer

/// Two operations on one store in two processes: the first is stopped at one of its system calls, the second
/// runs to its end, and then the first goes on. Each must succeed or say that another was in its way, and the
/// outcome must be as if those that succeeded had run one after the other.
struct Contest {
    /// An operation on a store of some type.
    struct Entrant {
        let operation: Operation
        let type: String

        /// Each operation on stores of each type that can be done beside others.
        static let all = Operation.catalog.filter(\.isContested).flatMap { operation in
            operation.types.map { Entrant(operation: operation, type: $0) }
        }

        func place(_ folder: URL) -> Place { Place(folder: folder, type: Operation.storeType(type)) }

        /// The type of the store that it leads to.
        private var resultType: String { operation.resultType ?? Operation.storeType(type) }

        /// Whether two may meet: both find the same before.
        func meets(_ other: Entrant) -> Bool {
            operation.start(type) == other.operation.start(other.type)
                && operation.carrier == other.operation.carrier
        }

        /// Whether both leave stores of one type, that of what is there before.
        func resembles(_ other: Entrant) -> Bool { type == other.type && resultType == other.resultType }
    }

    /// The outcome of operations: the ones that succeeded, and the stores afterwards.
    private struct Outcome: Hashable {
        let succeeded: Set<Int>
        let contents: [String: String]
    }

    let entrants: [Entrant]
    let scratch: Scratch
    private let template: URL
    /// The number of system calls that the first operation makes undisturbed.
    let calls: Int
    private var allowed: Set<Outcome> = []
    private var listings: [[String: String]: Set<[String]>] = [:]
    /// How errors begin that one operation has after the other.
    private var refusals: Set<String> = []

    init(_ first: Entrant, _ second: Entrant, _ scratch: Scratch) {
        entrants = [first, second]
        self.scratch = scratch
        template = scratch.folder()
        _ = Child.result(of: "preparing") { [entrants, template] in
            for (index, entrant) in entrants.enumerated() {
                var scene = entrant.operation
                if index > 0 {
                    scene.start = .nothing
                    scene.carrier = nil
                    if entrant.type == first.type, first.operation.hasSource { continue }
                }
                try scene.prepare(entrant.place(template))
            }
            return ""
        }
        let clean = first.place(scratch.copy(template))
        calls = Rehearsal.calls(of: first.operation, in: clean)
        scratch.remove(clean.folder)
        for order in [[], [0], [1], [0, 1], [1, 0]] { note(order) }
    }

    /// Runs the operations in an order, undisturbed.
    private mutating func note(_ order: [Int]) {
        let folder = scratch.copy(template)
        defer { scratch.remove(folder) }
        var succeeded: Set<Int> = []
        for index in order {
            let ending = Child { [entrants] in
                try entrants[index].operation.begin(entrants[index].place(folder))()
                return ""
            }.ended()
            switch ending {
            case .returned: succeeded.insert(index)
            case .threw(let text): refusals.insert(Self.code(text))
            default: say("\(entrants[index].operation.name), undisturbed: \(ending)")
            }
        }
        let place = entrants[0].place(folder)
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
        let folder = scratch.copy(template)
        defer { scratch.remove(folder) }
        let place = entrants[0].place(folder)
        let (held, released) = (Pipe(), Pipe())
        let first = Child { [entrants] in
            let body = try entrants[0].operation.begin(place)
            interposer_arm(
                place.folder.path, interposer_hold, Int32(call), 0, held.fileHandleForWriting.fileDescriptor,
                released.fileHandleForReading.fileDescriptor)
            defer {
                interposer_disarm()
                // The operation may end before it reaches the call.
                held.fileHandleForWriting.write(Data([1]))
            }
            try body()
            return ""
        }
        _ = held.fileHandleForReading.readData(ofLength: 1)
        let second = Child { [entrants] in
            var place = entrants[1].place(folder)
            place.timeout = 0.05
            try entrants[1].operation.begin(place)()
            return ""
        }
        let end = second.ended()
        released.fileHandleForWriting.write(Data([1]))
        var problems: [String] = []
        var succeeded: Set<Int> = []
        for (index, ending) in [(1, end), (0, first.ended())] {
            switch ending {
            case .returned: succeeded.insert(index)
            case .threw(let text) where Self.names(text) || refusals.contains(Self.code(text)): break
            default: problems.append("\(entrants[index].operation.name): \(ending)")
            }
        }
        if !problems.isEmpty { return problems }
        let found = Child { Rehearsal.encode(try place.contents()) }.ended()
        guard case .returned(let text) = found else { return ["the stores cannot be opened: \(found)"] }
        let outcome = Outcome(succeeded: succeeded, contents: Rehearsal.decode(text))
        if !allowed.contains(outcome) {
            let names = succeeded.sorted().map { entrants[$0].operation.name }
            problems.append("\(names) succeeded, and \(outcome.contents["store"] ?? "") is there")
        }
        let use = Child {
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

    /// An error's domain and code.
    private static func code(_ error: String) -> String { String(error.prefix { $0 != ":" }) }

    /// Returns whether an error says that another process was in the way.
    private static func names(_ error: String) -> Bool {
        [
            NSPersistentStoreTimeoutError, NSPersistentStoreSaveError,
            NSPersistentStoreIncompatibleVersionHashError, CocoaError.Code.fileWriteFileExists.rawValue,
        ].contains { error.hasPrefix("NSCocoaErrorDomain \($0):") }
            // The error of a migration has a code of its own, and the reason in its text.
            || ["database is locked", "another process", "another connection", "is there already"].contains(
                where: error.contains)
    }

    /// Opens and changes the store, of whichever type it is.
    private static func use(_ place: Place) throws {
        let words = try place.content(of: place.store).components(separatedBy: " ")
        let version = Items.Version.allCases.first { words.count > 1 && "\($0)" == words[1] }
        // A destroyed database leaves an empty one, in which only another database can be made.
        let size = try? FileManager.default.attributesOfItem(atPath: place.store.path)[.size] as? Int
        let isFree = words[0] == "nothing" && size ?? 0 == 0
        let type = words[0] == "nothing" ? NSSQLiteStoreType : words[0]
        try Rehearsal.use(place, version ?? .first, type: isFree ? nil : type)
    }
}
