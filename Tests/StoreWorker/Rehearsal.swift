import CoreData
import CoreDataTool
import Foundation
import Interposer

/// An operation that is run once undisturbed, and then repeatedly, each time disturbed at another of its
/// system calls.
struct Rehearsal {
    /// The disturbance at a call.
    enum Disturbance: String, CaseIterable {
        /// The process dies before the call.
        case death
        /// The process dies before the call, and so does the next process that tries.
        case deaths
        /// The process dies when half of the call's data is written.
        case halfDeath = "half"
        /// The call fails once: the disk has an error.
        case error
        /// The call and all later ones that need room fail: the disk is full.
        case full

        var fault: interposer_fault {
            switch self {
            case .death, .deaths: interposer_die
            case .halfDeath: interposer_die_halfway
            case .error: interposer_fail
            case .full: interposer_fill
            }
        }

        var code: Int32 { self == .full ? ENOSPC : EIO }
        var attempts: Int { self == .deaths ? 2 : 1 }
    }

    let operation: Operation
    let type: String
    let scratch: Scratch
    private let template: URL
    /// The number of calls of the undisturbed operation, the stores before and after it, and the files after
    /// the store was used again.
    let calls: Int
    let before: [String: String]
    let after: [String: String]
    private let listing: [String]

    init(_ operation: Operation, _ type: String, _ scratch: Scratch) {
        self.operation = operation
        self.type = type
        self.scratch = scratch
        template = scratch.folder()
        let place = operation.place(template, type)
        before = Self.decode(
            Child.result(of: "preparing \(operation.name)") {
                try operation.prepare(place)
                return Self.encode(try place.contents())
            })
        let clean = operation.place(scratch.copy(template), type)
        calls = Self.calls(of: operation, in: clean)
        after = Self.decode(Child.result(of: "looking") { Self.encode(try clean.contents()) })
        listing = Child.result(of: "using") {
            try Self.use(clean, operation.version, type: operation.resultType)
            return clean.listing().joined(separator: "\n")
        }.components(separatedBy: "\n")
        scratch.remove(clean.folder)
    }

    /// Runs an operation undisturbed, and returns the number of its calls.
    static func calls(of operation: Operation, in place: Place) -> Int {
        Int(
            Child.result(of: "\(operation.name), undisturbed") {
                let body = try operation.begin(place)
                interposer_arm(place.folder.path, interposer_none, 0, 0, -1, -1)
                try body()
                interposer_disarm()
                return String(interposer_count())
            })!
    }

    func end() { scratch.remove(template) }

    // MARK: One disturbance

    /// Returns the faults after a disturbance at a call; none if all is well.
    func problems(_ disturbance: Disturbance, at call: Int) -> [String] {
        let place = operation.place(scratch.copy(template), type)
        defer { scratch.remove(place.folder) }
        return (1...disturbance.attempts).flatMap { attempt in
            disturb(place, disturbance, at: call, again: attempt > 1)
        } + problems(in: place)
    }

    /// Runs the operation, disturbed at a call; if that fails, again and undisturbed.
    private func disturb(_ place: Place, _ disturbance: Disturbance, at call: Int, again: Bool) -> [String] {
        let ending = Child {
            if again, try isDone(in: place) { return "" }
            let body = try operation.begin(place)
            interposer_arm(place.folder.path, disturbance.fault, Int32(call), disturbance.code, -1, -1)
            let result = Result { try body() }
            interposer_disarm()
            if case .failure(let error) = result {
                // The program goes on and can try again with its open stores. The tool has errors of its own.
                if !operation.name.hasPrefix("tool") { try Self.requireKnown(error) }
                if disturbance == .full { try Self.requireFull(error) }
                try repeatOperation(in: place)
            }
            return ""
        }.ended()
        return switch ending {
        case .died, .returned: []
        case .threw(let error): ["it fails again, undisturbed: \(error)"]
        case .crashed, .hung: ["\(ending)"]
        }
    }

    /// Returns whether the operation took effect, and must not be repeated.
    private func isDone(in place: Place) throws -> Bool {
        try operation.isOnce && place.content(of: place.store) == after["store"]
    }

    private func repeatOperation(in place: Place) throws {
        if try !isDone(in: place) { try operation.begin(place)() }
    }

    /// Throws for an error of a store that is not one of Cocoa's.
    private static func requireKnown(_ error: any Error) throws {
        let domain = (error as NSError).domain
        if domain != NSCocoaErrorDomain {
            throw Unexpected(text: "an error of another domain, \(domain): \(error)")
        }
    }

    /// Throws for an error that does not say that the disk is full, since nothing else can be in the way.
    private static func requireFull(_ error: any Error) throws {
        let text = "\(error) \((error as NSError).userInfo)"
        if !["is full", "No space left"].contains(where: text.contains) {
            throw Unexpected(text: "an error that does not say that the disk is full: \(text)")
        }
    }

    struct Unexpected: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }

    /// Returns the faults that the next process finds. It must find the old store, the new one or none, and
    /// be able to use it.
    private func problems(in place: Place) -> [String] {
        let found = Child { Self.encode(try place.contents()) }.ended()
        guard case .returned(let text) = found else { return ["the stores cannot be opened: \(found)"] }
        var problems: [String] = []
        for (name, content) in Self.decode(text).sorted(by: { $0.key < $1.key }) {
            var allowed = [before[name], after[name]]
            if name == "store" { allowed += operation.between.map { "\(place.type) \($0)" } }
            if !allowed.contains(content) {
                problems.append(
                    "\(name) is \"\(content)\", not one of \(Set(allowed.compactMap { $0 }).sorted())")
            }
        }
        if Self.decode(text)["store"]?.hasPrefix(NSSQLiteStoreType) == true {
            let check = Child {
                try StoreCheck(try OpenedStore(at: place.store)).findings().map { "\($0)" }
                    .joined(separator: ", ")
            }.ended()
            if case .returned("") = check {} else { problems.append("a check of the store: \(check)") }
        }
        let again = Child {
            try repeatOperation(in: place)
            return Self.encode(try place.contents())
        }.ended()
        guard case .returned(let text) = again else {
            return problems + ["it cannot be done again: \(again)"]
        }
        if Self.decode(text) != after { problems.append("done again, it leads to \(Self.decode(text))") }
        let use = Child { [operation] in
            try Self.use(place, operation.version, type: operation.resultType)
            return place.listing().joined(separator: "\n")
        }.ended()
        guard case .returned(let text) = use else { return problems + ["the store cannot be used: \(use)"] }
        let files = text.components(separatedBy: "\n")
        let more = files.difference(from: listing)
        for change in more {
            switch change {
            case .insert(_, let file, _): problems.append("\(file) stays behind")
            case .remove(_, let file, _): problems.append("\(file) is missing")
            }
        }
        return problems
    }

    /// Opens the store, changes it, and checks that it was changed.
    static func use(_ place: Place, _ version: Items.Version, type: String?) throws {
        func open() throws -> NSManagedObjectContext { try place.open(place.store, version, type: type) }
        let context = try open()
        let former = try Items.describe(context)
        try Items.insert(["zzz"], photos: ["zzz"], into: context)
        try place.close(context)
        let again = try open()
        let latter = try Items.describe(again)
        guard latter == (former.isEmpty ? "" : former + " ") + "zzz+" else {
            throw Unexpected(text: "what was saved is not there: \(former), then \(latter)")
        }
        try again.performAndWait {
            for item in try Items.find(["zzz"], in: again) { again.delete(item) }
            try again.save()
        }
        try place.close(again)
    }

    // MARK: Values between processes

    static func encode(_ contents: [String: String]) -> String {
        contents.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)" }.joined(separator: "\n")
    }

    static func decode(_ text: String) -> [String: String] {
        let pairs = text.components(separatedBy: "\n").map { $0.components(separatedBy: "\t") }
        return Dictionary(uniqueKeysWithValues: pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) })
    }
}
