import CoreDataEditing
import CoreDataModelFormat
import CoreDataModelSource
import CoreDataValues
import Foundation
import Testing

@Suite("Merging models")
struct ModelMergeTests {
    let base: ModelDocument

    init() throws { base = try .library() }

    private func merge(_ ours: ModelDocument, _ theirs: ModelDocument) throws -> ModelMerge {
        try ModelMerge(base: base, ours: ours, theirs: theirs)
    }

    @Test("Different settings of one element, and different elements, are merged without a conflict")
    func disjoint() throws {
        let title =
            "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\" maxValueString=\"200\"/>"
        let ours = try base.replacing(
            ("maxValueString=\"200\"", "maxValueString=\"300\""), ("value=\"Books\"", "value=\"Volumes\""),
            ("pages > 500", "pages > 600"))
        let theirs = try base.replacing(
            (title, title.replacing("optional=\"YES\" ", with: "")), ("value=\"3\"", "value=\"4\""),
            (
                "<memberEntity name=\"Comic\"/>",
                "<memberEntity name=\"Comic\"/><memberEntity name=\"Author\"/>"
            ),
            ("<constraint value=\"name\"/>", "<constraint value=\"name\"/><constraint value=\"born\"/>"))
        let merge = try merge(ours, theirs)
        #expect(merge.conflicts == [])
        #expect(try self.merge(theirs, ours).document.lines == merge.document.lines)
        let book = merge.document.entities[1]
        #expect(book.attributes[2].maximum == .integer(300))
        #expect(!book.attributes[2].isOptional)
        #expect(book.userInfo.map(\.value) == ["Volumes", "4"])
        #expect(merge.document.fetchRequests[0].predicate == "pages > 600")
        #expect(merge.document.configurations[0].entityNames == ["Book", "Comic", "Author"])
        #expect(merge.document.entities[0].uniquenessConstraints == [["name", "born"]])
    }

    @Test("A setting that both changed is a conflict: the model has ours, the conflict tells theirs")
    func conflict() throws {
        let ours = try base.replacing(("defaultValueString=\"Anon\"", "defaultValueString=\"Ann\""))
        let theirs = try base.replacing((" defaultValueString=\"Anon\"", ""))
        let merge = try merge(ours, theirs)
        #expect(merge.document == ours)
        #expect(
            merge.conflicts == [
                MergeConflict(
                    path: "Author.name", setting: "defaultValueString", base: "\"Anon\"", ours: "\"Ann\"",
                    theirs: nil)
            ])
        #expect(
            merge.conflicts.first?.text
                == "Author.name: defaultValueString: ours \"Ann\", theirs none, before \"Anon\"")
    }

    @Test("What one side says of an element follows it through the other side's renaming")
    func renamed() throws {
        let ours = try base.replacing(
            ("<entity name=\"Book\" ", "<entity name=\"Volume\" elementID=\"Book\" "),
            ("Entity=\"Book\"", "Entity=\"Volume\""), ("entity=\"Book\"", "entity=\"Volume\""),
            ("memberEntity name=\"Book\"", "memberEntity name=\"Volume\""),
            ("element name=\"Book\"", "element name=\"Volume\""),
            ("name=\"title\"", "name=\"label\" elementID=\"title\""),
            ("property=\"title\"", "property=\"label\""))
        let theirs = try base.replacing(
            ("maxValueString=\"200\"", "maxValueString=\"300\""),
            ("order=\"ascending\"/>", "order=\"descending\"/>"),
            ("    <entity name=\"Comic\"", "    <!-- drawn -->\n    <entity name=\"Comic\""),
            (
                "<attribute name=\"colors\"",
                "<relationship name=\"part\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
                    + "destinationEntity=\"Book\"/><attribute name=\"colors\""
            ), ("<memberEntity name=\"Comic\"/>", ""),
            (
                "codeGenerationType=\"class\">\n        <attribute name=\"isbn\"",
                "codeGenerationType=\"class\">\n        <!-- on the back -->\n        <attribute name=\"isbn\""
            ))
        for (merge, isOurs) in [(try merge(ours, theirs), true), (try merge(theirs, ours), false)] {
            #expect(merge.conflicts == [], "\(isOurs)")
            let volume = merge.document.entities[1]
            #expect(volume.name == "Volume")
            #expect(volume.attributes.map(\.name) == ["isbn", "pages", "label"])
            #expect(volume.attributes[2].maximum == .integer(300))
            #expect(volume.fetchIndexes[0].elements.map(\.propertyName) == ["label"])
            #expect(volume.fetchIndexes[0].elements.map(\.isAscending) == [false])
            let comic = merge.document.entities[2]
            #expect(comic.parentName == "Volume")
            #expect(comic.relationships.map(\.destinationName) == ["Volume"])
            #expect(merge.document.configurations[0].entityNames == ["Volume"])
            #expect(merge.document.layout.map { $0.attributes["name"] } == ["Author", "Volume", "Comic"])
            let text = merge.document.source
            for comment in [
                "<!-- the core -->\n    <entity name=\"Volume\"", "<!-- on the back -->\n        <attr",
            ] {
                #expect(text.contains(comment))
            }
        }
    }

    @Test("An entity that was renamed without a note of it is known by its properties")
    func alike() throws {
        let ours = try base.replacing(
            (
                "<entity name=\"Book\" representedClassName=\"Book\"",
                "<entity name=\"Volume\" representedClassName=\"Volume\""
            ),
            ("Entity=\"Book\"", "Entity=\"Volume\""), ("entity=\"Book\"", "entity=\"Volume\""),
            ("memberEntity name=\"Book\"", "memberEntity name=\"Volume\""),
            ("element name=\"Book\"", "element name=\"Volume\""),
            (
                "<attribute name=\"isbn\"",
                "<attribute name=\"year\" optional=\"YES\" attributeType=\"Date\"/><attribute name=\"isbn\""
            ))
        let theirs = try base.replacing(("maxValueString=\"200\"", "maxValueString=\"300\""))
        for merge in [try merge(ours, theirs), try merge(theirs, ours)] {
            #expect(merge.conflicts == [])
            #expect(merge.document.entities.map(\.name) == ["Author", "Volume", "Comic"])
            let volume = merge.document.entities[1]
            #expect(Set(volume.attributes.map(\.name)) == ["year", "isbn", "pages", "title"])
            #expect(volume.attributes.first { $0.name == "title" }?.maximum == .integer(300))
            #expect(merge.document.entities[2].parentName == "Volume")
        }

        // An entity with other properties is another one.
        let other = try base.replacing(
            ("<entity name=\"Book\" ", "<entity name=\"Volume\" "), ("Entity=\"Book\"", "Entity=\"Volume\""),
            ("name=\"pages\"", "name=\"length\""), ("name=\"isbn\"", "name=\"number\""))
        #expect(try !merge(other, theirs).conflicts.isEmpty)
    }

    @Test("What one side removed and the other changed is a conflict and stays as in ours")
    func removed() throws {
        let pages = try base.replacing(("defaultValueString=\"0\"", "defaultValueString=\"1\""))
        var without = base
        without.entities[1].attributes.remove(at: 1)
        let kept = try merge(pages, without)
        #expect(kept.document.entities.map(\.attributes) == pages.entities.map(\.attributes))
        #expect(kept.conflicts.map(\.path) == ["Book.pages"])
        #expect(kept.conflicts.first?.theirs == "removed")
        let gone = try merge(without, pages)
        #expect(gone.document.entities.map(\.attributes) == without.entities.map(\.attributes))
        #expect(gone.conflicts.first?.theirs == "changed (defaultValueString 0 -> 1)")
        #expect(gone.document.source.contains("<!-- counted by hand -->\n        <attribute name=\"title\""))
    }

    @Test("Changes that do not fit together are a conflict, although each of them could be merged")
    func contradiction() throws {
        let ours = try base.replacing(
            (
                "<attribute name=\"colors\"",
                "<attribute name=\"weight\" attributeType=\"Float\"/><attribute name=\"colors\""
            ))
        let theirs = try base.replacing(
            (
                "<attribute name=\"colors\"",
                "<relationship name=\"weight\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
                    + "destinationEntity=\"Author\"/><attribute name=\"colors\""
            ))
        #expect(!(try merge(ours, theirs).conflicts.isEmpty))
        var orphan = base
        orphan.entities.remove(at: 0)
        orphan.entities[0].relationships = []
        orphan.layout.remove(at: 0)
        let merge = try merge(
            ours.replacing(("weight\" attributeType=\"Float\"", "weight\" attributeType=\"Float\"")), orphan)
        #expect(merge.conflicts == [])
        let referring = try self.merge(theirs, orphan)
        #expect(referring.conflicts.contains { $0.path == "Comic.weight" && $0.text.contains("Author") })
    }

    @Test("Positions and the editor's versions are no reason for a conflict")
    func positions() throws {
        let ours = try base.replacing(
            ("positionX=\"0\"", "positionX=\"9\""), ("22758", "22900"), ("23E224", "23F1"))
        let theirs = try base.replacing(
            ("positionX=\"0\"", "positionX=\"18\""), ("positionY=\"200\"", "positionY=\"250\""),
            ("22758", "23000"), ("23E224", "24A1"))
        let merge = try merge(ours, theirs)
        #expect(merge.conflicts == [])
        #expect(merge.document.layout.map { $0.attributes["positionX"] } == ["9", "200", "200"])
        #expect(merge.document.layout[2].attributes["positionY"] == "250")
        #expect(merge.document.editorAttributes["lastSavedToolsVersion"] == "23000")
        #expect(merge.document.editorAttributes["systemVersion"] == "24A1")
        var bare = base
        bare.layout = []
        #expect(try self.merge(bare, theirs).document.layout == [])
        #expect(try self.merge(bare, theirs).conflicts == [])
    }

    @Test("A marked conflict is a comment before its element, which linting reports until it is removed")
    func marks() throws {
        let ours = try base.replacing(
            ("defaultValueString=\"Anon\"", "defaultValueString=\"A--\""), ("byTitle", "byName"))
        var theirs = try base.replacing(("defaultValueString=\"Anon\"", "defaultValueString=\"-->\""))
        theirs.entities[1].fetchIndexes[0].elements[0].isAscending = false
        theirs.fetchRequests[0].predicate = "pages > 7"
        let other = try ours.replacing(("pages > 500", "pages > 8"))
        let merge = try merge(other, theirs)
        #expect(
            Set(merge.conflicts.map(\.path)) == ["Author.name", "Book.index:byTitle", "fetchRequest:long"])
        let source = merge.marked.source
        let result = try XMLModelParser(file: "contents").parse(Data(source.utf8))
        #expect(result.document.entities.map(\.attributes) == merge.document.entities.map(\.attributes))
        let errors = result.diagnostics.filter { $0.severity == .error }
        #expect(errors.count == 3)
        #expect(errors.allSatisfy { $0.message.hasPrefix("a merge has left a conflict: ") })
        #expect(source.contains("<!-- conflict: fetchRequest:long: predicateString: ours"))
        #expect(try ModelDocument(source: source) == merge.marked)
        #expect(merge.marked.entities.map(\.name) == merge.document.entities.map(\.name))
    }

    @Test("If one side has not changed, the result is the other; if both are the same, it is that")
    func laws() throws {
        var random = SeededGenerator(state: 11)
        for _ in 0..<150 {
            let start = try random.changed(base, edits: 3)
            let (one, two) = (try random.changed(start, edits: 4), try random.changed(start, edits: 4))
            for (ours, theirs, result) in [(start, one, one), (one, start, one), (one, one, one)] {
                let merge = try ModelMerge(base: start, ours: ours, theirs: theirs)
                #expect(merge.document == result)
                #expect(merge.conflicts == [])
            }
            let merge = try ModelMerge(base: start, ours: one, theirs: two)
            let reverse = try ModelMerge(base: start, ours: two, theirs: one)
            #expect(merge.conflicts.isEmpty == reverse.conflicts.isEmpty)
            if merge.conflicts.isEmpty {
                #expect(merge.document.settings == reverse.document.settings)
            }
            try expectComplete(merge, start, one, two)
            _ = try ModelDocument(source: merge.marked.source)
        }
    }

    @Test("So it is with renamed elements, and with names that occur twice")
    func names() throws {
        var random = SeededGenerator(state: 5)
        for _ in 0..<150 {
            let start = try random.changed(base, edits: 3, renames: true)
            let one = try random.changed(start, edits: 4, renames: true)
            let two = try random.changed(start, edits: 4, renames: true)
            for (ours, theirs, result) in [(start, one, one), (one, start, one), (one, one, one)] {
                let merge = try ModelMerge(base: start, ours: ours, theirs: theirs)
                #expect(merge.document.lines == result.lines)
            }
            let merge = try ModelMerge(base: start, ours: one, theirs: two)
            _ = try ModelDocument(source: merge.marked.source)
        }
    }

    /// Expects that each change of either side is in the result or told by a conflict.
    private func expectComplete(
        _ merge: ModelMerge, _ base: ModelDocument, _ ours: ModelDocument, _ theirs: ModelDocument
    ) throws {
        let (former, merged) = (base.settings, merge.document.settings)
        for side in [ours.settings, theirs.settings] {
            for key in Set(side.keys).union(former.keys) where side[key] != former[key] {
                // What belongs to an element that is not there is told by the element's conflict.
                let told = merge.conflicts.contains { conflict in
                    conflict.path.isEmpty || key.hasPrefix(conflict.path)
                }
                #expect(merged[key] == side[key] || told, "\(key) \(merge.conflicts.map(\.text))")
            }
        }
    }
}

extension ModelDocument {
    /// Every setting of every element, by the path of the element and the name of the setting.
    fileprivate var settings: [String: String] {
        var result: [String: String] = [:]
        func add(_ element: SourceElement, _ path: String) {
            for (key, value) in element.attributes where key != "name" { result["\(path) @\(key)"] = value }
            for extra in element.extras {
                if case .text(let text) = extra.content { result["\(path) \(text)"] = "there" }
            }
            for child in element.children {
                let name = child.attributes["name"] ?? child.attributes["key"] ?? child.attributes["value"]
                switch child.name {
                case "entity": add(child, name ?? "")
                case "attribute", "relationship": add(child, "\(path).\(name ?? "")")
                case "fetchIndex": add(child, "\(path).index:\(name ?? "")")
                case "fetchRequest", "configuration": add(child, "\(child.name):\(name ?? "")")
                case "element", "elements": continue
                case "uniquenessConstraint":
                    let names = child.children.compactMap { $0.attributes["value"] }
                    result["\(path) unique \(names)"] = "there"
                default: add(child, "\(path) \(child.name) \(name ?? "")")
                }
                result["\(path) has \(child.name) \(name ?? "")"] = "yes"
            }
        }
        add(ModelWriter(self).element, "")
        return result
    }
}

extension SeededGenerator {
    /// Returns a document with random edits that an author might make.
    fileprivate mutating func changed(_ document: ModelDocument, edits: Int, renames: Bool = false) throws
        -> ModelDocument
    {
        var document = document
        for _ in 0..<Int.random(in: 0...edits, using: &self) {
            if renames, Bool.random(using: &self) { try rename(&document) } else { edit(&document) }
        }
        return try ModelDocument(source: document.source)
    }

    /// Renames an entity or an attribute and what refers to it, or adds it once more.
    private mutating func rename(_ document: inout ModelDocument) throws {
        guard let entity = document.entities.indices.randomElement(using: &self) else { return }
        let attribute = document.entities[entity].attributes.indices.randomElement(using: &self)
        let name = "r\(Int.random(in: 0..<9, using: &self))"
        guard !document.source.contains("\"\(name)\"") else { return }
        switch Int.random(in: 0..<4, using: &self) {
        case 0:
            let old = document.entities[entity].name
            document = try ModelDocument(source: document.source.replacing("\"\(old)\"", with: "\"\(name)\""))
            document.entities[entity].renamingIdentifier = old
        case 1: document.entities.append(document.entities[entity])
        case 2:
            guard let attribute else { return }
            let copy = document.entities[entity].attributes[attribute]
            document.entities[entity].attributes.append(copy)
        default:
            guard let attribute else { return }
            let old = document.entities[entity].attributes[attribute].name
            document = try ModelDocument(source: document.source.replacing("\"\(old)\"", with: "\"\(name)\""))
            document.entities[entity].attributes[attribute].renamingIdentifier = old
        }
    }

    private mutating func edit(_ document: inout ModelDocument) {
        guard let entity = document.entities.indices.randomElement(using: &self) else { return }
        let attribute = document.entities[entity].attributes.indices.randomElement(using: &self)
        let name = "n\(Int.random(in: 0..<40, using: &self))"
        switch Int.random(in: 0..<16, using: &self) {
        case 0: document.entities.append(EntityElement(name: name.uppercased()))
        case 1: document.entities[entity].isAbstract.toggle()
        case 2:
            let new = AttributeElement(name: name, type: .string, isOptional: true)
            let count = document.entities[entity].attributes.count
            guard !document.entities[entity].attributes.contains(where: { $0.name == name }) else { return }
            document.entities[entity].attributes.insert(new, at: Int.random(in: 0...count, using: &self))
        case 3: if let attribute { document.entities[entity].attributes.remove(at: attribute) }
        case 4: if let attribute { document.entities[entity].attributes[attribute].isOptional.toggle() }
        case 5: if let attribute { document.entities[entity].attributes[attribute].regularExpression = name }
        case 6: document.entities[entity].attributes.shuffle(using: &self)
        case 7: document.entities[entity].userInfo.append(UserInfoEntry(key: name, value: "1"))
        case 8: document.entities[entity].userInfo = []
        case 9: document.entities[entity].versionHashModifier = name
        case 10: document.configurations[0].entityNames.append(document.entities[entity].name)
        case 11: document.fetchRequests[0].fetchLimit = Int.random(in: 1..<9, using: &self)
        case 12: document.entities.shuffle(using: &self)
        case 13:
            if let attribute {
                let name = document.entities[entity].attributes[attribute].name
                document.entities[entity].uniquenessConstraints.append([name])
            }
        case 14:
            let key = SourceKeys.key("entity", document.entities[entity].name)
            document.extras.append(SourceExtra(before: key, .text("\n    <!-- \(name) -->")))
        default:
            document.fetchRequests.append(FetchRequestElement(name: name, entityName: "Book"))
        }
    }
}
