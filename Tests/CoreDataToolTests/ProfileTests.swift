import CoreData
import CoreDataTool
import Foundation
import Testing

@Suite("Reading profiles")
struct ProfileTests {
    private let library: LibraryStore
    private var file: URL { library.folder.appendingPathComponent("run.profile") }

    init() throws {
        library = try LibraryStore { context in
            for number in 0..<20 {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("book \(number)", forKey: "title")
            }
        }
    }

    // MARK: What a run shows

    /// Reads titles as an app must not: each by a statement of its own.
    @inline(never)
    private func readTitlesOneByOne(_ context: NSManagedObjectContext) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.includesPropertyValues = false
        var length = 0
        for book in try context.fetch(request) {
            length += (book.value(forKey: "title") as? String)?.count ?? 0
        }
        return length
    }

    @inline(never)
    private func searchByTitle(_ context: NSManagedObjectContext) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "title ENDSWITH 'x'")
        return try context.fetch(request).count
    }

    /// Records what a body does, and reads the record.
    private func review(_ body: (NSManagedObjectContext) throws -> Void) throws -> ProfileReview {
        let profile = try ProfileFile(at: file)
        defer { profile.close() }
        try LibraryStore.write(LibraryModel.document, to: library.url, body)
        profile.close()
        let recorded = try RecordedProfile(at: file)
        return ProfileReview(recorded, CallNames(of: recorded), scans: StatementScans().tables)
    }

    @Test(
        "A loop over faults is found, with its cost and the function that has it",
        .enabled(if: CallNames.symbolizer != nil, "there is no llvm-symbolizer and no addr2line"))
    func loop() throws {
        let review = try review { _ = try readTitlesOneByOne($0) }
        let finding = try #require(
            review.findings.first { $0.site?.text.contains("readTitlesOneByOne") ?? false })
        #expect(finding.kind == .faultLoop)
        #expect(finding.count == 20)
        #expect(finding.message.hasPrefix("20 objects of Book were read one by one, "))
        #expect(finding.advice.contains("includesPropertyValues"))
        #expect(finding.site?.text.contains("ProfileTests.swift:") == true)
    }

    @Test("A request that reads a whole table, and one that is repeated, are found; an indexed one is not")
    func fetches() throws {
        let review = try review { context in
            for _ in 0..<12 { _ = try searchByTitle(context) }
            let all = NSFetchRequest<NSManagedObject>(entityName: "Book")
            let book = try #require(try context.fetch(all).first)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "self == %@", book)
            _ = try context.fetch(request)
        }
        // Other tests may be recorded as well, on other stores.
        let scans = review.findings.filter { $0.kind == .fullScan && $0.count == 12 }
        #expect(scans.count == 1)
        #expect(scans.first?.message.hasPrefix("12 statements read every row of ZBOOK, ") == true)
        let advice = try #require(scans.first?.advice)
        #expect(advice.contains("fetch index") && advice.contains("unless") && advice.contains("ENDSWITH"))
        let repeated = review.findings.filter { $0.kind == .repeatedFetch }
        #expect(repeated.contains { $0.count == 11 && $0.advice.contains("ENDSWITH") })
        #expect(!review.findings.contains { $0.kind == .fullScan && $0.advice.contains("Z_PK = ?") })
    }

    // MARK: Files

    private func read(_ lines: [String]) throws -> ProfileReview {
        try Data(lines.joined(separator: "\n").utf8).write(to: file)
        let recorded = try RecordedProfile(at: file)
        return ProfileReview(recorded, CallNames(of: recorded)) { _, _ in [] }
    }

    private static let header = """
        {"header":{"format":1,"program":"App","arguments":[],"process":7,"date":0}}
        """

    private static func event(_ kind: String, _ start: Int, _ duration: Int, _ rest: String = "") -> String {
        """
        {"event":{"kind":"\(kind)","start":\(start),"duration":\(duration),\
        "thread":{"number":1,"isMain":true}\(rest)}}
        """
    }

    @Test("A save that holds the main thread for more than a frame is found, a shorter one is not")
    func saves() throws {
        let review = try read([
            Self.header, Self.event("save", 0, 16_000_000, ",\"count\":1"),
            Self.event("save", 20_000_000, 40_000_000, ",\"count\":900"),
        ])
        #expect(review.findings.map(\.kind) == [.blockingSave])
        #expect(review.findings.first?.count == 1)
        #expect(review.findings.first?.message.contains("up to 40.00 ms") == true)
        #expect(review.text.contains("save       2  56.00 ms"))
    }

    @Test("A request that is made again after a save is none too many")
    func effect() throws {
        let fetch = ",\"entity\":\"Book\",\"detail\":\"all\",\"count\":3"
        let pairs = (0..<20).flatMap { number in
            [
                Self.event("fetch", number * 10, 1, fetch),
                Self.event("save", number * 10 + 5, 1, ",\"count\":1"),
            ]
        }
        #expect(try read([Self.header] + pairs).findings.isEmpty)
        let fetches = (0..<11).map { Self.event("fetch", $0, 1, fetch) }
        #expect(try read([Self.header] + fetches).findings.map(\.count) == [10])
    }

    @Test("Saves and merges in other stores do not part a request from its repetition; unknown ones do")
    func otherStores() throws {
        /// Returns how many fetches of store 1 are found to be repetitions, with changes in other stores between.
        func repetitions(_ change: String, _ stores: String) throws -> [Int] {
            let events = (0..<12).flatMap { number in
                [
                    Self.event(
                        "fetch", number * 10, 1,
                        ",\"entity\":\"Book\",\"detail\":\"all\",\"count\":3,\"stores\":[1]"),
                    Self.event(change, number * 10 + 5, 1, ",\"count\":1\(stores)"),
                ]
            }
            return try read([Self.header] + events).findings.map(\.count)
        }
        for change in ["save", "merge"] {
            #expect(try repetitions(change, ",\"stores\":[2]") == [11])
            #expect(try repetitions(change, ",\"stores\":[2,1]") == [])
            #expect(try repetitions(change, "") == [])
        }
    }

    @Test("One request that two stores are asked by turns is repeated in each of them")
    func twoStores() throws {
        let fetches = (0..<24).map { number in
            Self.event(
                "fetch", number, 1,
                ",\"entity\":\"Book\",\"detail\":\"all\",\"count\":3,\"stores\":[\(number % 2)]")
        }
        #expect(try read([Self.header] + fetches).findings.map(\.count) == [11, 11])
    }

    @Test("Whole tables that are read for a store itself are no finding, those that are read for a fetch are")
    func ownStatements() throws {
        let select = ",\"detail\":\"SELECT a FROM ZBOOK WHERE b = ?\",\"store\":\"/Shop\""
        try Data(
            [
                Self.header, Self.event("statement", 5, 2, select),
                Self.event("fetch", 10, 10, ",\"entity\":\"Book\""),
                Self.event("statement", 12, 3, select), Self.event("statement", 16, 3, select),
                Self.event("save", 30, 10, ",\"count\":1"), Self.event("statement", 32, 3, select),
            ].joined(separator: "\n").utf8
        ).write(to: file)
        let recorded = try RecordedProfile(at: file)
        let review = ProfileReview(recorded, CallNames(of: recorded)) { _, _ in ["ZBOOK"] }
        #expect(review.findings.map(\.kind) == [.fullScan])
        #expect(review.findings.map(\.count) == [2])
    }

    @Test("A profile whose program was killed in the middle of a line is read to that line")
    func killed() throws {
        let review = try read([Self.header, Self.event("merge", 0, 5), "{\"event\":{\"kind\":\"fet"])
        #expect(review.totals.map(\.kind) == [.merge])
        #expect(review.totals.map(\.duration) == [5])
        #expect(review.text.contains("The last line is not whole"))
    }

    @Test("Files that are no profiles, damaged ones, and those of later versions are refused by name")
    func refusals() throws {
        func refusal(_ lines: [String]) -> String? {
            (#expect(throws: ToolError.self) { try read(lines) })?.description
        }
        #expect(refusal([""])?.contains("is no profile: its first line is no header of one") == true)
        #expect(
            refusal([Self.header, "{\"event\":3}", Self.event("merge", 0, 5)])?.hasSuffix(
                "run.profile: line 2 is damaged") == true)
        #expect(
            refusal([Self.header.replacingOccurrences(of: "\"format\":1", with: "\"format\":9")])?
                .contains("a later version wrote") == true)
        let missing = #expect(throws: ToolError.self) {
            try RecordedProfile(at: library.folder.appendingPathComponent("none"))
        }
        #expect(missing?.description.contains("/none: ") == true)
    }
}
