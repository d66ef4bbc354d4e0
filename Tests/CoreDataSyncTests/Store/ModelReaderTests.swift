import CoreData
import CoreDataSync
import CoreDataSyncCore
import Testing

@Suite("Models as sync schemas")
struct ModelReaderTests {
    private func error(_ change: (inout [String: NSEntityDescription]) -> Void) -> String? {
        do {
            _ = try StoreSynchronizer.schema(of: LibraryModel.make(change))
            return nil
        } catch { return "\(error)" }
    }

    @Test("A model with all kinds of properties and rules becomes a schema")
    func schema() throws {
        let schema = try StoreSynchronizer.schema(of: LibraryModel.make())
        let book = try #require(schema.entities["Novel"])
        #expect(book.ancestors == ["Book", "Novel"])
        #expect(schema.mergeRule("copies", of: "Novel") == .counter)
        #expect(book.unique.map(\.attributes) == [["isbn"]])
        #expect(schema.entities["Shelf"]?.collections["books"]?.isOrdered == true)
        #expect(schema.entities["Loan"]?.editsWin == true)
        #expect(schema.pairs.keys.sorted() == ["Book.tags", "Book.twin", "Tag.related"])
        #expect(schema.pairs["Book.twin"]?.isMirrored == true)
        #expect(book.references.map(\.name) == ["prequel", "shelf"])
    }

    @Test("Renamed entities and properties keep the names that they had first")
    func stableNames() throws {
        let schema = try StoreSynchronizer.schema(
            of: LibraryModel.make { entities in
                entities["Tag"]!.name = "Label"
                entities["Tag"]!.renamingIdentifier = "Tag"
                entities["Tag"]!.properties[0].name = "text"
                entities["Tag"]!.properties[0].renamingIdentifier = "name"
                entities["Tag"]!.uniquenessConstraints = [["text"]]
            })
        #expect(schema.entities["Tag"]?.registers.keys.sorted() == ["name"])
        #expect(schema.entities["Tag"]?.unique.map(\.attributes) == [["name"]])
    }

    @Test("Transient and derived attributes are left out")
    func own() throws {
        let schema = try StoreSynchronizer.schema(
            of: LibraryModel.make { entities in
                let transient = LibraryModel.attribute("shown", .stringAttributeType)
                transient.isTransient = true
                let derived = NSDerivedAttributeDescription()
                derived.name = "lower"
                derived.attributeType = .stringAttributeType
                derived.derivationExpression = NSExpression(format: "lowercase:(name)")
                entities["Library"]!.properties += [transient, derived]
            })
        #expect(schema.entities["Library"]?.registers.keys.sorted() == ["name"])
    }

    @Test("What cannot be synced is refused by name")
    func refusals() {
        #expect(
            error { entities in
                let attribute = LibraryModel.attribute("t", .transformableAttributeType)
                attribute.valueTransformerName = "NoSuchTransformer"
                entities["Book"]!.properties.append(attribute)
            } == "The model cannot be synced: Book.t: its transformer NoSuchTransformer is not registered.")
        #expect(
            error { $0["Book"]!.properties.append(LibraryModel.attribute("t", .undefinedAttributeType)) }
                == "The model cannot be synced: Book.t: an attribute of this type cannot be synced.")
        let friends = error { entities in
            let friend = LibraryModel.toOne("friend", entities["Tag"]!)
            friend.inverseRelationship = friend
            friend.isOptional = false
            entities["Tag"]!.properties.append(friend)
        }
        let reason = "Tag.friend: a mandatory to-one relationship that is its own inverse cannot be synced."
        #expect(friends == "The model cannot be synced: \(reason)")
        #expect(
            error { $0["Tag"]!.properties[0].userInfo = ["SyncMerge": "counter"] }
                == "The model cannot be synced: Tag.name: only integers and decimals can be counters.")
    }
}
