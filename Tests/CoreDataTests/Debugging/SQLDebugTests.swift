import CoreDataSQL
import CoreDataStore
import Foundation
import Logging
import Synchronization
import Testing

@testable import CoreData

@Suite("SQL debugging")
struct SQLDebugTests {
    // MARK: Levels

    @Test("The level is that of the launch argument, else of the environment, else the user default")
    func precedence() {
        func detail(_ arguments: [String], _ environment: [String: String], _ userDefault: Any?) -> Int? {
            let level = LaunchSetting.sqlDebug.value(
                arguments: arguments, environment: environment, default: { userDefault })
            return SQLDebug.detail(level)?.rawValue
        }
        let argument = ["tool", "-com.apple.CoreData.SQLDebug", "1"]
        let dotted = ["com.apple.CoreData.SQLDebug": "2"]
        let underscored = ["com_apple_CoreData_SQLDebug": "3"]
        #expect(detail(argument, dotted, 4) == 1)
        #expect(detail(["tool"], dotted, 4) == 2)
        #expect(detail(["tool"], underscored, 4) == 3)
        #expect(detail(["tool"], [:], 4) == 4)
        #expect(detail(["tool"], [:], "4") == 4)
        #expect(detail(["tool"], [:], NSNumber(value: 2)) == 2)
        #expect(detail(["tool"], [:], nil) == nil)
        #expect(detail(argument + ["-com.apple.CoreData.SQLDebug", "0"], dotted, 4) == nil)
    }

    @Test("An invalid level turns logging off, and a level that is too high means the highest")
    func badLevels() {
        func detail(_ text: String...) -> StatementDetail? {
            SQLDebug.detail(
                LaunchSetting.sqlDebug.value(
                    arguments: ["tool", "-com.apple.CoreData.SQLDebug"] + text, environment: [:],
                    default: { nil }))
        }
        #expect(detail("yes") == nil)
        #expect(detail("-1") == nil)
        #expect(detail() == nil)
        #expect(detail("1") == .statements)
        #expect(detail("9") == .plan)
    }

    // MARK: Text

    @Test("A fetch is logged in Apple's format")
    func fetchText() {
        let entry = SQLLogEntry(
            path: "/a/b.sqlite", sql: "SELECT ZNAME, ZPHOTO FROM ZPERSON WHERE ZNAME = ?",
            bindings: [.text("Ann \"A\"\n")],
            rows: [[.null, .blob(Data(count: 12))], [.double(1.5), .integer(2)]],
            plan: ["SCAN ZPERSON"], outcome: .returned(2), duration: .microseconds(1_000_042))
        #expect(
            SQLLogText.lines(entry) == [
                "sql: SELECT ZNAME, ZPHOTO FROM ZPERSON WHERE ZNAME = ?",
                #"details: SQLite bind[0] = "Ann \"A\"\n""#,
                "details: row[0] = (nil, <12 bytes>)",
                "details: row[1] = (1.5, 2)",
                "details: query plan: SCAN ZPERSON",
                "annotation: total fetch execution time: 1.000042s for 2 rows.",
            ])
    }

    @Test("Long texts are shortened, writes report their rows, and failures the reason")
    func otherTexts() {
        func last(_ outcome: SQLLogEntry.Outcome, _ bindings: [SQLValue] = []) -> [String] {
            let entry = SQLLogEntry(
                path: "", sql: "X", bindings: bindings, outcome: outcome, duration: .milliseconds(2))
            return Array(SQLLogText.lines(entry).dropFirst())
        }
        #expect(last(.wrote(1)) == ["annotation: total execution time: 0.002000s, 1 row written."])
        #expect(last(.ran) == ["annotation: total execution time: 0.002000s."])
        #expect(last(.failed("disk full")) == ["annotation: failed after 0.002000s: disk full"])
        let cut = last(.ran, [.text(String(repeating: "a", count: 1000))]).first ?? ""
        #expect(cut.hasSuffix("a\"… (1000 characters)"))
        #expect(cut.count < 300)
    }

    // MARK: Stores

    @Test(
        "Saves, fetches and faults of a store reach the log, with its name",
        .ofSQLite("The text of statements and plans"))
    @MainActor
    func store() throws {
        let stack = try CompanyStack()
        let memory = LogMemory()
        let listener = SQLDebug.listen(.rows) { Logger(label: "test") { _ in memory.handler } }
        defer { listener.stop() }
        stack.insert("Project", ["name": "Unmistakable"])
        try stack.context.save()
        let other = try stack.reopened()
        let project = try #require(
            try other.fetch("Project", "name BEGINSWITH %@", "Unmistak").first)
        other.context.refresh(project, mergeChanges: false)
        #expect(project.value(forKey: "name") as? String == "Unmistakable")
        // The log also has other tests' statements.
        let lines = memory.lines
        #expect(memory.stores.contains("store.sqlite"))
        #expect(lines.contains { $0.hasPrefix("sql: INSERT INTO ZPROJECT") })
        #expect(lines.contains(#"details: SQLite bind[0] = "Unmistak""#))
        #expect(lines.contains { $0.hasPrefix("details: row[0] = (") && $0.contains(#""Unmistakable""#) })
        #expect(lines.contains { $0.contains("total fetch execution time: ") && $0.hasSuffix("for 1 row.") })
        #expect(lines.contains { $0.hasSuffix("1 row written.") })
    }

    // MARK: Programs

    /// Returns the output of `fetchingProgram` below, run in a process of its own.
    private func log(
        _ arguments: [String] = [], _ environment: [String: String] = [:]
    ) async throws -> String {
        let folder = try ScratchFolder()
        let process = try TestProcess(
            "fetchingProgram", in: folder,
            environment: environment.merging(["FETCHING_PROGRAM": "1"]) { $1 }, arguments: arguments)
        let isWell = await process.ended()
        #expect(isWell)
        return process.output
    }

    @Test(
        "fetchingProgram: the body of the process whose log is read",
        .enabled(if: ProcessInfo.processInfo.environment["FETCHING_PROGRAM"] != nil))
    @MainActor
    func fetchingProgram() throws {
        let stack = try CompanyStack()
        stack.insert("Project", ["name": "Unmistakable"])
        try stack.context.save()
        #expect(try stack.reopened().names("Project", "name == %@", "Unmistakable") == ["Unmistakable"])
    }

    @Test(
        "A program started with a level logs to standard error what that level includes",
        .ofSQLite("The text of statements and plans"))
    func program() async throws {
        let key = "com.apple.CoreData.SQLDebug"
        let texts = [
            "sql: SELECT", #"SQLite bind[0] = "Unmistakable""#, "details: row[0] = (", "query plan: ",
        ]
        let plain = try await log()
        #expect(plain.components(separatedBy: "sql: ").count == 1)
        for level in 1...4 {
            let log = try await log(["-" + key, "\(level)"])
            #expect(log.contains("sql: INSERT INTO ZPROJECT"))
            #expect(log.contains("store=store.sqlite"))
            #expect(log.contains("annotation: total fetch execution time: "))
            for (index, text) in texts.enumerated() { #expect(log.contains(text) == (index < level)) }
        }
        for variable in [key, "com_apple_CoreData_SQLDebug"] {
            let log = try await log([], [variable: "2"])
            #expect(log.contains(texts[1]), "\(variable)")
        }
    }

    @Test(
        "A plan is logged only while a listener asks for plans", .ofSQLite("The text of statements and plans")
    )
    @MainActor
    func plan() throws {
        let stack = try CompanyStack()
        let memory = LogMemory()
        let listener = SQLDebug.listen(.plan) { Logger(label: "test") { _ in memory.handler } }
        _ = try stack.names("Project", "name == %@", "x")
        listener.stop()
        #expect(memory.lines.contains { $0.hasPrefix("details: query plan: SCAN") })
        _ = try stack.names("Project", "name == %@", "unheard")
        #expect(!memory.lines.contains { $0.contains("unheard") })
    }
}

/// A log that keeps its lines, of every level.
private final class LogMemory: Sendable {
    private let kept = Mutex<[(store: String, line: String)]>([])

    var lines: [String] { kept.withLock { $0.map(\.line) } }
    var stores: Set<String> { kept.withLock { Set($0.map(\.store)) } }
    var handler: any LogHandler { Handler(memory: self) }

    private struct Handler: LogHandler {
        let memory: LogMemory
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        init(memory: LogMemory) { self.memory = memory }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let store = metadata["store"].map { "\($0)" } ?? ""
            memory.kept.withLock { $0.append((store, event.message.description)) }
        }
    }
}
