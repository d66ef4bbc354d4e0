import Foundation
import Testing

@testable import Library

@Suite("The code of README and articles")
struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let documents = [
        "README.md",
        "Sources/CoreData/CoreData.docc/CoreData.md",
        "Sources/CoreData/CoreData.docc/Articles/ChangingManyRows.md",
        "Sources/CoreData/CoreData.docc/Articles/ChoosingAStore.md",
        "Sources/CoreData/CoreData.docc/Articles/Concurrency.md",
        "Sources/CoreData/CoreData.docc/Articles/FaultingAndUniquing.md",
        "Sources/CoreData/CoreData.docc/Articles/FirstProgram.md",
        "Sources/CoreData/CoreData.docc/Articles/GettingStarted.md",
        "Sources/CoreData/CoreData.docc/Articles/KeepingHistory.md",
        "Sources/CoreData/CoreData.docc/Articles/LiveLists.md",
        "Sources/CoreData/CoreData.docc/Articles/MigratingStores.md",
        "Sources/CoreData/CoreData.docc/Articles/KnownLimits.md",
        "Sources/CoreData/CoreData.docc/Articles/MovingAModelLayer.md",
        "Sources/CoreData/CoreData.docc/Articles/ObservingObjects.md",
        "Sources/CoreData/CoreData.docc/Articles/PredicateSupport.md",
        "Sources/CoreData/CoreData.docc/Articles/RunningOnSeveralServers.md",
        "Sources/CoreData/CoreData.docc/Articles/SeeingTheSQL.md",
        "Sources/CoreData/CoreData.docc/Articles/UsingThePlugin.md",
        "Sources/CoreData/CoreData.docc/Articles/PortingSources.md",
        "Sources/CoreDataConformance/CoreDataConformance.docc/CoreDataConformance.md",
        "Sources/ModernCoreData/ModernCoreData.docc/ModernCoreData.md",
        "Sources/ModernCoreData/ModernCoreData.docc/Articles/SyncingWithAService.md",
        "Sources/SwiftData/SwiftData.docc/SwiftData.md",
        "Sources/SwiftData/SwiftData.docc/Articles/MovingASwiftDataModelLayer.md",
        "Sources/SwiftData/SwiftData.docc/Articles/WhatDiffers.md",
        "Sources/SwiftData/SwiftData.docc/Articles/WritingAStore.md",
    ]

    @Test("Every example in the documents is compiled code of this package", arguments: documents)
    func examplesCompile(_ document: String) throws {
        let sources = try Self.sources()
        for example in try Self.blocks(of: "swift", in: document) where !Self.isManifest(example) {
            let code = Self.normalized(example)
            #expect(sources.contains(code), "\(document) shows code that Examples lack:\n\(example)")
        }
        let models = try Self.files { $0.contains(".xcdatamodeld/") }
        for example in try Self.blocks(of: "xml", in: document) {
            #expect(models.contains(example), "\(document) shows a file that Examples lack:\n\(example)")
        }
    }

    @Test("The README's example runs")
    @MainActor
    func readmeRuns() throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("Library-\(UUID())")
        setenv("XDG_DATA_HOME", home.path, 1)
        defer {
            unsetenv("XDG_DATA_HOME")
            try? FileManager.default.removeItem(at: home)
        }
        try readme()
        let stores = try #require(FileManager.default.enumerator(atPath: home.path)?.allObjects as? [String])
        #expect(stores.contains { $0.hasSuffix("Library.sqlite") })
    }

    private static func blocks(of language: String, in document: String) throws -> [String] {
        let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
        return text.components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }

    private static func sources() throws -> String {
        try files { $0.hasSuffix(".swift") }.map(normalized).joined(separator: "\n")
    }

    private static func files(where isWanted: (String) -> Bool) throws -> [String] {
        let examples = root.appendingPathComponent("Examples")
        return try ["Sources", "Tests"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: examples.appendingPathComponent(folder).path)
                .map { examples.appendingPathComponent(folder).appendingPathComponent($0) }
        }
        .filter {
            isWanted($0.path) && (try? $0.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
        }
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }

    private static func isManifest(_ example: String) -> Bool {
        example.contains("plugins: [.plugin(") || example.hasPrefix(".package(")
            || example.hasPrefix(".testTarget(")
    }

    /// Collapses spaces and drops imports, which stand at the head of the file.
    private static func normalized(_ code: String) -> String {
        code.split(separator: "\n").filter { !$0.hasPrefix("import ") }
            .joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
