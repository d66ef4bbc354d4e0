package import CoreDataModelFormat
package import CoreDataValues

/// The history tables as entities (sqlite-store §12), so that a predicate on transactions or changes is bound
/// and compiled like any other.
///
/// Names, such as those of authors, are attributes here, although most stores keep them in a table of their
/// own; `HistoryRewriter` translates between the two. The same model describes the entities to clients.
package struct HistoryModel: Sendable {
    package static let changeName = "CHANGE"
    package static let transactionName = "TRANSACTION"
    private static let stringName = "TRANSACTIONSTRING"

    /// The attributes of a transaction that are names, each with the relationship to the table of names.
    package static let names = [
        "author": "authorTS", "bundleID": "bundleIDTS", "contextName": "contextNameTS",
        "processID": "processIDTS",
    ]
    package static let nameOfString = "name"
    package static let changedObjectID = "changedObjectID"
    package static let changedEntity = "changedEntity"
    package static let changedKey = "changedKey"

    package static let document = ModelDocument(entities: [change, transaction, string])
    package static let compiled = compile()

    package static func index(_ subject: HistoryFilter.Subject) -> EntityIndex {
        compiled.indexByName[subject == .transactions ? transactionName : changeName]!
    }

    private static func compile() -> CompiledModel {
        do {
            return try ModelCompiler(document).compile()
        } catch {
            preconditionFailure("the model of the history is faulty: \(error)")
        }
    }

    // MARK: Entities

    private static let transaction = EntityElement(
        name: transactionName,
        attributes: names.keys.sorted().map { attribute($0, .string) } + [
            attribute("timestamp", .date), attribute("token", .integer64),
            attribute("transactionNumber", .integer64),
        ],
        relationships: names.values.sorted().map { toOne($0, stringName) } + [
            RelationshipElement(
                name: "changes", destinationName: changeName, inverseName: "transaction",
                inverseEntityName: changeName, isOptional: true, maximumCount: 0)
        ])

    private static let change = EntityElement(
        name: changeName,
        attributes: [
            attribute(changedEntity, .integer64), attribute(changedKey, .integer64),
            attribute(changedObjectID, .objectID, isTransient: true), attribute("changeID", .integer64),
            attribute("changeType", .integer64), attribute("token", .integer64),
            attribute("updatedProperties", .binary),
        ],
        relationships: [
            RelationshipElement(
                name: "transaction", destinationName: transactionName, inverseName: "changes",
                inverseEntityName: transactionName, isOptional: true)
        ])

    private static let string = EntityElement(
        name: stringName, attributes: [attribute(nameOfString, .string)])

    private static func attribute(
        _ name: String,
        _ type: AttributeType,
        isTransient: Bool = false
    ) -> AttributeElement {
        AttributeElement(name: name, type: type, isOptional: true, isTransient: isTransient)
    }

    private static func toOne(_ name: String, _ destination: String) -> RelationshipElement {
        RelationshipElement(name: name, destinationName: destination, isOptional: true)
    }
}
