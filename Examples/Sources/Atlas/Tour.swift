import CoreData

/// The tour of the program: an import, a dozen questions to the reopened store, and edits that meet rules.
struct Tour {
    let folder: URL
    let storeURL: URL
    var readsOneByOne = false

    func run() throws {
        AtlasContainer.removeFiles(at: storeURL)
        try importAll()
        let atlas = try timed("Reopened") { try AtlasContainer(url: storeURL) }
        print(try atlas.rowCounts())
        for question in Question.all {
            print("\n\(question.text)")
            print(try timed("Answered") { try question.answer(atlas.context) })
        }
        print("\nWhich countries have the most kinds of subdivision?")
        let kinds = KindsByCountry(context: atlas.context, readsOneByOne: readsOneByOne)
        print(try timed("Answered") { try kinds.table() })
        try edit(atlas)
        print("\nAt the end")
        print(try atlas.rowCounts())
        print("\nThe store, \(atlas.bytes / 1024) KiB with its log: \(storeURL.path)")
    }

    private func importAll() throws {
        let atlas = try AtlasContainer(url: storeURL)
        try timed("Imported \(folder.path)") { try Importer(context: atlas.context, folder: folder).run() }
        try timed("Saved \(atlas.context.insertedObjects.count) objects") { try atlas.context.save() }
    }

    private func edit(_ atlas: AtlasContainer) throws {
        let edits = Edits(context: atlas.context)
        var table = Table(columns: ["Edit", "Outcome"])
        func note(_ edit: String, _ outcome: () throws -> String) {
            do {
                table.rows.append([edit, try outcome()])
            } catch let error as NSError {
                table.rows.append([edit, "refused with \(error.code): \(error.localizedDescription)"])
            }
        }
        note("Rename Switzerland") {
            "changed: \(try edits.rename(country: "CH", to: "Helvetia"))"
        }
        note("Move Wales into England") {
            try edits.move(subdivision: "GB-WLS", into: "GB-ENG")
            return
                "England has \(try edits.find(Subdivision.self, "code", "GB-ENG").children?.count ?? 0) parts"
        }
        note("Delete Helvetia") { "\(try edits.delete(country: "CH")) cantons went with it" }
        note("Delete Nakhchivan") { "\(try edits.delete(subdivision: "AZ-NX")) parts lost their parent" }
        note("Delete the kind of living languages") {
            try edits.delete(languageKind: "L")
            return "deleted"
        }
        note("A second France") {
            try edits.insertCountry(alpha2: "FR", alpha3: "FRA", name: "France again", number: 250)
            return "inserted"
        }
        note("A country with a code in lower case") {
            try edits.insertCountry(alpha2: "xx", alpha3: "XXX", name: "Nowhere", number: 998)
            return "inserted"
        }
        print("\nEdits and rules")
        print(table)
    }

    private func timed<Result>(_ what: String, _ work: () throws -> Result) rethrows -> Result {
        let start = Date()
        let result = try work()
        print(String(format: "\(what) in %.1f ms", -start.timeIntervalSinceNow * 1000))
        return result
    }
}
