import CoreData

/// Reads the ISO 3166-1, 3166-2 and 639-3 lists that Debian's `iso-codes` package installs into objects.
struct Importer {
    static let defaultFolder = URL(fileURLWithPath: "/usr/share/iso-codes/json", isDirectory: true)

    let context: NSManagedObjectContext
    let folder: URL

    private struct CountryRecord: Decodable {
        let alpha_2: String
        let alpha_3: String
        let name: String
        let numeric: String
        let flag: String?
        let official_name: String?
    }

    private struct SubdivisionRecord: Decodable {
        let code: String
        let name: String
        let type: String
        let parent: String?

        var country: String { String(code.prefix { $0 != "-" }) }
    }

    private struct LanguageRecord: Decodable {
        let alpha_2: String?
        let alpha_3: String
        let name: String
        let type: String
    }

    /// Inserts everything; saving is left to the caller.
    func run() throws {
        let countries = try importCountries()
        try importSubdivisions(of: countries)
        try importLanguages()
    }

    private func records<Record: Decodable>(_ list: String) throws -> [Record] {
        let file = folder.appendingPathComponent("iso_\(list).json")
        guard FileManager.default.fileExists(atPath: file.path) else { throw MissingList(file: file) }
        let lists = try JSONDecoder().decode([String: [Record]].self, from: Data(contentsOf: file))
        return lists[list] ?? []
    }

    private func importCountries() throws -> [String: Country] {
        var countries: [String: Country] = [:]
        for record: CountryRecord in try records("3166-1") {
            let country = Country(context: context)
            country.alpha2 = record.alpha_2
            country.alpha3 = record.alpha_3
            country.name = record.name
            country.officialName = record.official_name
            country.flag = record.flag
            country.number = Int16(record.numeric) ?? 0
            countries[record.alpha_2] = country
        }
        return countries
    }

    private func importSubdivisions(of countries: [String: Country]) throws {
        let list: [SubdivisionRecord] = try records("3166-2")
        var subdivisions: [String: Subdivision] = [:]
        var kinds: [String: SubdivisionKind] = [:]
        for record in list {
            let subdivision = Subdivision(context: context)
            subdivision.code = record.code
            subdivision.name = record.name
            subdivision.country = countries[record.country]
            let kind = kinds[record.type] ?? SubdivisionKind(context: context)
            kind.name = record.type
            kinds[record.type] = kind
            subdivision.kind = kind
            subdivisions[record.code] = subdivision
        }
        // A parent may come later in the list, and is named with or without its country.
        for record in list {
            guard let parent = record.parent else { continue }
            subdivisions[record.code]?.parent =
                subdivisions[parent] ?? subdivisions["\(record.country)-\(parent)"]
        }
    }

    private static let kindNames = [
        "A": "Ancient", "C": "Constructed", "E": "Extinct", "H": "Historical", "L": "Living", "S": "Special",
    ]

    private func importLanguages() throws {
        var kinds: [String: LanguageKind] = [:]
        for record: LanguageRecord in try records("639-3") {
            let language = Language(context: context)
            language.alpha2 = record.alpha_2
            language.alpha3 = record.alpha_3
            language.name = record.name
            let kind = kinds[record.type] ?? LanguageKind(context: context)
            kind.code = record.type
            kind.name = Self.kindNames[record.type] ?? record.type
            kinds[record.type] = kind
            language.kind = kind
        }
    }
}

/// The lists are not where they should be.
struct MissingList: LocalizedError {
    let file: URL

    var errorDescription: String? {
        "\(file.path) does not exist. Install Debian's iso-codes package, or name the folder of its JSON files."
    }
}
