import CoreData

/// Reads the ISO 3166 and 639-3 lists of Debian's `iso-codes` package into objects.
struct Importer {
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
    }

    private struct LanguageRecord: Decodable {
        let alpha_3: String
        let name: String
        let type: String
    }

    func run() throws {
        let countries = try importCountries()
        try importSubdivisions(of: countries)
        try importLanguages()
    }

    private func records<Record: Decodable>(_ list: String) throws -> [Record] {
        let file = folder.appendingPathComponent("iso_\(list).json")
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
            country.number = Int32(record.numeric) ?? 0
            countries[record.alpha_2] = country
        }
        return countries
    }

    private func importSubdivisions(of countries: [String: Country]) throws {
        let list: [SubdivisionRecord] = try records("3166-2")
        var subdivisions: [String: Subdivision] = [:]
        for record in list {
            let subdivision = Subdivision(context: context)
            subdivision.code = record.code
            subdivision.name = record.name
            subdivision.type = record.type
            subdivision.country = countries[String(record.code.prefix(2))]
            subdivisions[record.code] = subdivision
        }
        for record in list {
            guard let parent = record.parent else { continue }
            let country = record.code.prefix { $0 != "-" }
            subdivisions[record.code]?.parent = subdivisions[parent] ?? subdivisions["\(country)-\(parent)"]
        }
    }

    private func importLanguages() throws {
        var kinds: [String: LanguageKind] = [:]
        for record: LanguageRecord in try records("639-3") {
            let language = Language(context: context)
            language.alpha3 = record.alpha_3
            language.name = record.name
            let kind = kinds[record.type] ?? LanguageKind(context: context)
            kind.code = record.type
            kinds[record.type] = kind
            language.kind = kind
        }
    }
}
