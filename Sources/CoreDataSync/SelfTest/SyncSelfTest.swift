internal import Foundation

/// What the engine relies on of Core Data, tried on the system on which the app runs.
///
/// Syncing uses public API alone, and some of what it relies on is written nowhere. Here each of these things is tried on
/// a store of its own. An app runs it once on each system that it supports:
///
/// ```swift
/// print(await SyncSelfTest.run())
/// ```
public struct SyncSelfTest: Hashable, Sendable, CustomStringConvertible {
    /// One thing that was tried.
    public struct Probe: Hashable, Sendable, Identifiable {
        /// What the engine relies on, in a sentence.
        public let name: String
        /// What was found instead; nil if it is so.
        public let problem: String?
        /// The name.
        public var id: String { name }
    }

    /// All that was tried, in its order.
    public let probes: [Probe]

    /// What is not as the engine needs it.
    public var problems: [Probe] { probes.filter { $0.problem != nil } }

    /// Tries everything, in stores that it makes in the folder for temporary files and removes. Takes a second or two, and
    /// throws nothing: an error is a problem of its probe.
    public static func run() async -> SyncSelfTest { await run(keepingHistory: true) }

    /// - Parameter keepsHistory: Whether the stores keep a history. Without one many probes fail.
    static func run(keepingHistory keepsHistory: Bool) async -> SyncSelfTest {
        await Task.detached {
            SyncSelfTest(probes: SelfTestProbe.all.map { $0.run(keepingHistory: keepsHistory) })
        }.value
    }

    /// The results as a table, a line each, and how many problems there are.
    public var description: String {
        let lines = probes.map { probe in
            probe.problem.map { "FAILED  \(probe.name): \($0)" } ?? "ok      \(probe.name)"
        }
        return (lines + ["\(problems.count) of \(probes.count) failed"]).joined(separator: "\n")
    }
}

/// Something to try.
struct SelfTestProbe: Sendable {
    let name: String
    let body: @Sendable (ProbedStore) throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (ProbedStore) throws -> Void) {
        self.name = name
        self.body = body
    }

    static var all: [SelfTestProbe] { historyProbes + objectProbes }

    fileprivate func run(keepingHistory keepsHistory: Bool) -> SyncSelfTest.Probe {
        do {
            let store = try ProbedStore(keepingHistory: keepsHistory)
            defer { store.remove() }
            try body(store)
            return SyncSelfTest.Probe(name: name, problem: nil)
        } catch {
            return SyncSelfTest.Probe(name: name, problem: "\(error)")
        }
    }
}

/// What a probe has found.
struct SelfTestProblem: Error, CustomStringConvertible {
    let description: String
}

/// Throws a problem unless a condition holds.
func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
    if !condition { throw SelfTestProblem(description: problem()) }
}
