import CoreData
import Foundation
import Testing

/// Migrations by a manager that fail: each leaves the source as it was, and no destination.
@Suite("Failing migrations by a manager", .ofSQLite("Sources and destinations that are files"))
@MainActor
struct MigrationFailureTests {
    private static let sketch = "A\n  name string"
    private static let complete = ["name": "$source.name", "size": "1"]

    private let store: VersionedStore

    init() throws {
        store = try VersionedStore(Self.sketch)
        for name in ["a", "b", "c"] { store.insert("A", ["name": name]) }
        try store.close()
    }

    private func mapping(
        _ values: [String: String] = Self.complete, _ policy: NSEntityMigrationPolicy.Type? = nil
    ) -> NSEntityMapping {
        MappingSketch.entity("A", from: "A", to: "A", values, policy: policy)
    }

    /// Returns the error of a migration.
    private func failure(
        of mapping: NSEntityMapping, _ userInfo: [AnyHashable: Any] = [:], from url: URL? = nil,
        to target: String = "new"
    ) throws -> NSError {
        let manager = NSMigrationManager(
            sourceModel: store.coordinator.managedObjectModel,
            destinationModel: ModelSketch("A\n  name string! = \"\"\n  size int16!").model)
        manager.userInfo = userInfo
        let target = store.folder.file(target)
        let error = try #require(throws: (any Error).self) {
            try manager.migrateStore(
                from: url ?? store.url, sourceType: NSSQLiteStoreType, with: MappingSketch.model(mapping),
                toDestinationURL: target, destinationType: NSSQLiteStoreType)
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
        try store.migrate(to: Self.sketch, options: [:])
        #expect(try store.value("name", of: "A") as? [String] == ["a", "b", "c"])
        try store.close()
        return error as NSError
    }

    @Test("A policy's error is the underlying error of 134170, which names the entity mapping")
    func policyError() throws {
        let error = try failure(of: mapping(Self.complete, StoppingPolicy.self))
        #expect(error.code == NSEntityMigrationPolicyError)
        #expect(error.userInfo[NSUnderlyingErrorKey] != nil)
        #expect(error.userInfo["entityMapping"] as? String == "A")
    }

    @Test("The error given to a cancellation is thrown unchanged")
    func cancellation() throws {
        let error = try failure(of: mapping(Self.complete, StoppingPolicy.self), ["cancels": true])
        #expect(error.domain == (StoppingPolicy.Failure() as NSError).domain)
    }

    @Test("A policy without a class, and a method that a policy lacks, are error 134170")
    func missingPolicy() throws {
        let unknown = mapping()
        unknown.entityMigrationPolicyClassName = "Nobody.Policy"
        #expect(try failure(of: unknown).code == NSEntityMigrationPolicyError)
        let unanswered = try failure(of: mapping(["size": #"FUNCTION($entityPolicy, "what")"#]))
        #expect(unanswered.code == NSEntityMigrationPolicyError)
        let reason = try #require(unanswered.localizedFailureReason)
        #expect(reason.contains("NSEntityMigrationPolicy does not answer to \"what\""))
    }

    @Test(
        "A value that the destination cannot have is error 134110 with entity and attribute",
        arguments: [
            (["name": "$source.name"], "size"), (["name": "5", "size": "1"], "name"),
            (["name": "$source.name", "size": "70000"], "size"), (["size": "$source.name"], "size"),
        ])
    func unsuitableValue(_ values: [String: String], attribute: String) throws {
        let error = try failure(of: mapping(values))
        #expect(error.code == NSMigrationError)
        #expect(error.userInfo["attribute"] as? String == attribute)
        #expect(error.userInfo["entity"] as? String == "A")
    }

    @Test(
        "A key that no entity has is error 134110, which names the key",
        arguments: [["nothing": "1"], ["size": "$source.nothing"]])
    func unknownKey(_ values: [String: String]) throws {
        let error = try failure(of: mapping(values))
        #expect(error.code == NSMigrationError)
        #expect(try #require(error.localizedFailureReason).contains("nothing"))
    }

    @Test("A missing source is error 134150, and a destination that cannot be written is 134160")
    func places() throws {
        let missing = try failure(of: mapping(), from: store.folder.file("none"))
        #expect(missing.code == NSMigrationManagerSourceStoreError)
        let unwritable = try failure(of: mapping(), to: "none/new")
        #expect(unwritable.code == NSMigrationManagerDestinationStoreError)
    }
}
