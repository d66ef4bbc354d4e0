import CoreData
import Foundation
import Testing

/// Texts that would be SQL, or format language, if they were spliced in.
@Suite("Injection attempts")
@MainActor
struct InjectionTests {
    /// A text with NUL is no value of a PostgreSQL store.
    nonisolated static let attempts = all.filter {
        NSPersistentStore.StoreType.tested == .sqlite || !$0.contains("\0")
    }

    nonisolated private static let all = [
        "x' OR '1'='1", "x\" OR 1 == 1 OR \"\" == \"", "'; DROP TABLE ZPROJECT; --", "1) OR (1=1", "?", "?1",
        "%@", "%K == 1", "$x", "TRUEPREDICATE", "name) OR (TRUEPREDICATE", "t0.Z_PK", "Z_PK", "rowid", "a\0b",
        "\\", "\\'", "*", "[\"a\"]", "name.@count", "/* */", "x\n--", "\u{FFFD}", "SELF", "#",
    ]

    /// A store with one project a text, and a few others.
    private func projects() throws -> TestStack {
        let stack = try CompanyStack()
        for text in Self.attempts + ["plain", ""] { stack.insert("Project", ["name": text]) }
        try stack.context.save()
        return stack
    }

    @Test("A hostile text used as a value is found by equality alone", arguments: attempts)
    func values(_ text: String) throws {
        let stack = try projects()
        let everything = try stack.fetch("Project")
        for format in [
            "name == %@", "%@ == name", "name IN %@", "name ==[c] %@", "name CONTAINS %@",
            "name BEGINSWITH[cd] %@",
            "name ENDSWITH %@", "name < %@", "name BETWEEN %@", "ANY members.name == %@",
            "SUBQUERY(tasks, $t, $t.name == %@).@count > 0", "TERNARY(name == %@, 1, 0) == 1",
        ] {
            let isList = format.contains(" IN ") || format.contains("BETWEEN")
            let argument: Any = isList ? [text, text] as Any : text
            let predicate = NSPredicate(format: format, argumentArray: [argument])
            let inMemory = everything.filter { predicate.evaluate(with: $0) }
            let found = try stack.fetch("Project", format, argument)
            #expect(found == inMemory, "\(format)")
            if format.hasPrefix("name ==") || format.hasPrefix("name IN") { #expect(found.count == 1) }
        }
        let template = NSPredicate(format: "name == $text").withSubstitutionVariables(["text": text])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
        request.predicate = template
        #expect(try stack.context.count(for: request) == 1)
        #expect(try stack.fetch("Project").count == Self.attempts.count + 2)
    }

    @Test("A hostile text used as a key is an unknown key in every kind of request", arguments: attempts)
    func keys(_ text: String) throws {
        // These are keys, or operators on them.
        if ["SELF", "name.@count"].contains(text) { return }
        let stack = try projects()
        for format in ["%K == 1", "%K != nil", "ANY members.%K == 1", "%K.@count == 1"] {
            let error = #expect(throws: NSError.self, "\(format)") {
                try stack.fetch("Project", format, text)
            }
            #expect(error?.localizedFailureReason?.contains("not found in entity") == true)
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Project")
        request.sortDescriptors = [NSSortDescriptor(key: text, ascending: true)]
        #expect(throws: NSError.self) { try stack.context.fetch(request) }
        #expect(try stack.fetch("Project").count == Self.attempts.count + 2)
    }

    @Test(
        "Batches bind hostile texts, and write, change and delete them unchanged", arguments: attempts)
    func batches(_ text: String) throws {
        let stack = try projects()
        func count(_ name: String) throws -> Int { try stack.fetch("Project", "name == %@", name).count }
        try stack.context.execute(NSBatchInsertRequest(entityName: "Project", objects: [["name": text]]))
        #expect(try count(text) == 2)
        let update = NSBatchUpdateRequest(entityName: "Project")
        update.predicate = NSPredicate(format: "name == %@", argumentArray: ["plain"])
        update.propertiesToUpdate = ["name": text]
        try stack.context.execute(update)
        #expect(try count(text) == 3)
        let doomed = NSFetchRequest<any NSFetchRequestResult>(entityName: "Project")
        doomed.predicate = NSPredicate(format: "name == %@", argumentArray: [text])
        try stack.context.execute(NSBatchDeleteRequest(fetchRequest: doomed))
        #expect(try count(text) == 0)
        #expect(try stack.fetch("Project").count == Self.attempts.count)
    }
}
