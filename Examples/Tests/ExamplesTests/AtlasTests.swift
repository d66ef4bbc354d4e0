import CoreData
import Foundation
import Testing

@testable import Atlas

private let hasISOCodes = FileManager.default.fileExists(
    atPath: Importer.defaultFolder.appendingPathComponent("iso_3166-2.json").path)

@Suite("An atlas of the ISO lists", .enabled(if: hasISOCodes, "Debian's iso-codes package is not installed"))
@MainActor
struct AtlasTests {
    /// A file with all lists imported, made once; each test works on a copy.
    private static let imported = Result {
        let file = ScratchFile("Atlas", isInDatabase: false)
        let atlas = try AtlasContainer(url: file.url)
        try Importer(context: atlas.context, folder: Importer.defaultFolder).run()
        try atlas.context.save()
        return try file.contents()
    }

    private let file = ScratchFile("Atlas")
    private let atlas: AtlasContainer
    private var context: NSManagedObjectContext { atlas.context }
    private var edits: Edits { Edits(context: context) }

    init() throws {
        let original = ScratchFile.isInDatabase ? ScratchFile("Atlas", isInDatabase: false) : file
        try original.write(Self.imported.get())
        if original !== file {
            let coordinator = try AtlasContainer(url: original.url).container.persistentStoreCoordinator
            try coordinator.migratePersistentStore(
                coordinator.persistentStores[0], to: file.url, type: .postgreSQL)
        }
        atlas = try AtlasContainer(url: file.url)
    }

    private func count(_ entity: String, _ format: String, _ arguments: Any...) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try context.count(for: request)
    }

    private func rows(_ question: String) throws -> [[String]] {
        let question = try #require(Question.all.first { $0.text.contains(question) })
        return try question.answer(context).rows
    }

    // MARK: Reading objects

    @Test("Kinds by country are the same whether their objects are read one by one or at once")
    func kindsByCountry() throws {
        let rows = try KindsByCountry(context: context).table().rows
        #expect(rows.count == 8)
        context.reset()
        #expect(try KindsByCountry(context: context, readsOneByOne: true).table().rows == rows)
    }

    // MARK: The import

    @Test("Countries have their codes, numbers and flags")
    func countries() throws {
        #expect(try count("Country", "TRUEPREDICATE") >= 249)
        let germany = try edits.find(Country.self, "alpha2", "DE")
        #expect(germany.alpha3 == "DEU")
        #expect(germany.name == "Germany")
        #expect(germany.number == 276)
        #expect(germany.officialName == "Federal Republic of Germany")
        #expect(germany.flag == "🇩🇪")
        #expect(try count("Country", "alpha2 == nil OR alpha3 == nil OR name == nil OR number == 0") == 0)
    }

    @Test("Countries have their subdivisions", arguments: ["AT": 9, "CH": 26, "DE": 16, "JP": 47])
    func subdivisions(country: String, number: Int) throws {
        #expect(try edits.find(Country.self, "alpha2", country).subdivisions?.count == number)
        #expect(try count("Subdivision", "country.alpha2 == %@", country) == number)
    }

    @Test("Subdivisions have kinds")
    func kinds() throws {
        #expect(try count("Subdivision", "country.alpha2 == 'US' AND kind.name == 'State'") == 50)
        #expect(try count("SubdivisionKind", "ANY subdivisions.country.name == 'Switzerland'") == 1)
    }

    @Test("Every subdivision belongs to the country its code begins with")
    func membership() throws {
        let all = try context.fetch(NSFetchRequest<Subdivision>(entityName: "Subdivision"))
        #expect(all.count > 4000)
        #expect(all.allSatisfy { $0.code?.prefix(2) == $0.country?.alpha2?[...] })
    }

    @Test("Subdivisions form a hierarchy within their country")
    func hierarchy() throws {
        let london = try edits.find(Subdivision.self, "code", "GB-LND")
        #expect(london.parent?.name == "England")
        #expect(london.parent?.parent == nil)
        let paris = try #require(
            try context.fetch(Subdivision.fetchRequest()).first {
                $0.name == "Paris" && $0.country?.alpha2 == "FR"
            })
        #expect(paris.parent?.code == "FR-IDF")
        #expect(try count("Subdivision", "parent != nil") > 1000)
        #expect(try count("Subdivision", "parent != nil AND parent.country != country") == 0)
        #expect(
            try count(
                "Subdivision",
                "SUBQUERY(children, $c, $c.country.alpha2 != 'GB').@count > 0 AND country.alpha2 == 'GB'")
                == 0)
    }

    @Test("Languages have kinds")
    func languages() throws {
        #expect(try count("Language", "TRUEPREDICATE") > 7000)
        #expect(try count("Language", "kind == nil") == 0)
        #expect(try count("LanguageKind", "TRUEPREDICATE") == 6)
        let german = try edits.find(Language.self, "alpha3", "deu")
        #expect(german.name == "German")
        #expect(german.alpha2 == "de")
        #expect(german.kind?.name == "Living")
        #expect(try edits.find(Language.self, "alpha3", "epo").kind?.name == "Constructed")
    }

    @Test("A folder without the lists is an error that names the file")
    func missingLists() throws {
        let folder = URL(fileURLWithPath: "/nowhere", isDirectory: true)
        let error = #expect(throws: MissingList.self) { try Importer(context: context, folder: folder).run() }
        #expect(error?.localizedDescription.contains("/nowhere/iso_3166-1.json") == true)
    }

    // MARK: The questions

    @Test("The app asks a dozen questions, and each has an answer")
    func questions() throws {
        #expect(Question.all.count == 12)
        for question in Question.all {
            let table = try question.answer(context)
            #expect(!table.rows.isEmpty, "\(question.text)")
            #expect(table.rows.allSatisfy { $0.count == table.columns.count })
        }
    }

    @Test("Answers across relationships are right")
    func answers() throws {
        #expect(try rows("cantons").contains(["CH", "Switzerland"]))
        #expect(try rows("emirates") == [["AE", "United Arab Emirates", "7"]])
        #expect(try rows("bears the country's name").contains(["LU", "Luxembourg"]))
        #expect(try rows("more than a hundred").contains { $0[0] == "GB" && Int($0[2])! > 200 })
        #expect(try rows("Azerbaijan").allSatisfy { $0[2] == "Naxçıvan" })
        #expect(try rows("of each kind").first?.first == "Living")
        #expect(try rows("constructed").contains(["epo", "Esperanto"]))
        #expect(try rows("Old one").map { $0[0] }.contains("Historical"))
    }

    // MARK: The rules

    @Test("A rename is one change and outlives the process")
    func rename() throws {
        let changes = try edits.rename(country: "CH", to: "Helvetia")
        #expect(changes.count == 1)
        #expect(changes["name"] as? String == "Helvetia")
        let reopened = try AtlasContainer(url: atlas.url)
        #expect(try Edits(context: reopened.context).find(Country.self, "alpha2", "CH").name == "Helvetia")
    }

    @Test("A move changes both parents")
    func move() throws {
        let england = try edits.find(Subdivision.self, "code", "GB-ENG")
        let wales = try edits.find(Subdivision.self, "code", "GB-WLS")
        let parts = try #require(england.children?.count)
        try edits.move(subdivision: "GB-WLS", into: "GB-ENG")
        #expect(england.children?.count == parts + 1)
        #expect(wales.parent === england)
        try edits.move(subdivision: "GB-WLS", into: "GB-SCT")
        #expect(england.children?.count == parts)
        #expect(try count("Subdivision", "parent.code == 'GB-SCT' AND code == 'GB-WLS'") == 1)
    }

    @Test("Deleting a country deletes its subdivisions")
    func cascade() throws {
        #expect(try edits.delete(country: "CH") == 26)
        let reopened = try AtlasContainer(url: atlas.url)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Subdivision")
        request.predicate = NSPredicate(format: "code BEGINSWITH 'CH-'")
        #expect(try reopened.context.count(for: request) == 0)
    }

    @Test("Deleting a subdivision leaves its parts without a parent")
    func nullify() throws {
        let parts = try count("Subdivision", "parent.code == 'GB-NIR'")
        let total = try count("Subdivision", "TRUEPREDICATE")
        #expect(parts > 5)
        #expect(try edits.delete(subdivision: "GB-NIR") == parts)
        #expect(try count("Subdivision", "TRUEPREDICATE") == total - 1)
    }

    @Test("A kind that has languages cannot be deleted, a kind without languages can")
    func deny() throws {
        let error = #expect(throws: NSError.self) { try edits.delete(languageKind: "C") }
        #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
        #expect(!context.hasChanges)
        #expect(try count("Language", "kind.code == 'C'") > 5)

        let empty = LanguageKind(context: context)
        empty.code = "X"
        empty.name = "Imagined"
        try context.save()
        try edits.delete(languageKind: "X")
        #expect(try count("LanguageKind", "code == 'X'") == 0)
    }

    @Test("A taken or misspelt code is refused, and no part of the change remains")
    func uniqueAndWellFormed() throws {
        let before = try count("Country", "TRUEPREDICATE")
        let twin = #expect(throws: NSError.self) {
            try edits.insertCountry(alpha2: "FR", alpha3: "FRX", name: "France again", number: 1)
        }
        #expect(twin?.code == NSManagedObjectConstraintMergeError)
        let misspelt = #expect(throws: NSError.self) {
            try edits.insertCountry(alpha2: "xx", alpha3: "XXX", name: "Nowhere", number: 1)
        }
        #expect(misspelt?.code == NSValidationStringPatternMatchingError)
        #expect(try count("Country", "TRUEPREDICATE") == before)
        #expect(!context.hasChanges)
    }
}

@Suite("Tables of text")
struct TableTests {
    @Test("Columns are as wide as their widest cell, numbers at the right")
    func layout() {
        let table = Table(columns: ["Name", "N"], rows: [["Å", "5"], ["Switzerland", "126"]])
        #expect(
            table.description == """
                  Name           N
                  -----------  ---
                  Å              5
                  Switzerland  126
                """)
    }

    @Test("A note follows the rows, and no line ends with spaces")
    func note() {
        let table = Table(columns: ["A", "B"], rows: [["wide", "x"], ["a", ""]], note: "… 3 in all")
        #expect(table.description.split(separator: "\n").allSatisfy { $0.last != " " })
        #expect(table.description.hasSuffix("\n  … 3 in all"))
    }

    @Test("A table without rows has its headings")
    func empty() {
        #expect(Table(columns: ["A"]).description == "  A\n  -")
    }
}
