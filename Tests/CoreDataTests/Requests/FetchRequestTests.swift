import Foundation
import Testing

@testable import CoreData

@Suite("Fetch requests")
struct FetchRequestTests {
    @Test("A new request has Apple's defaults")
    func defaults() {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
        #expect(request.entityName == "Company")
        #expect(request.entity == nil)
        #expect(request.requestType == .fetchRequestType)
        #expect(request.resultType == .managedObjectResultType)
        #expect(request.includesSubentities)
        #expect(request.includesPropertyValues)
        #expect(request.includesPendingChanges)
        #expect(request.returnsObjectsAsFaults)
        #expect(!request.returnsDistinctResults)
        #expect(!request.shouldRefreshRefetchedObjects)
        #expect(request.fetchLimit == 0)
        #expect(request.fetchOffset == 0)
        #expect(request.fetchBatchSize == 0)
        #expect(request.predicate == nil)
        #expect(request.sortDescriptors == nil)
        #expect(request.affectedStores == nil)
    }

    @Test("The entity's name is readable once the entity is set")
    func entityName() {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        #expect(request.entityName == nil)
        request.entity = ModelFixtures.entity("Note")
        #expect(request.entityName == "Note")
    }

    @Test("A retyped request shares everything with the original")
    func retyping() {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Company")
        let typed: NSFetchRequest<NSManagedObject> = request.retyped()
        typed.fetchLimit = 5
        typed.resultType = .managedObjectIDResultType
        #expect(request.fetchLimit == 5)
        #expect(request.resultType == .managedObjectIDResultType)
    }

    @Test("Other requests retype to nil, and a request of the type is returned as it is")
    func retypingOthers() {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
        let plain: NSPersistentStoreRequest = request
        #expect(plain.retyped(as: NSManagedObject.self) === request)
        #expect(plain.retyped(as: NSDictionary.self)?.entityName == "Company")
        #expect(
            NSSaveChangesRequest(
                inserted: nil, updated: nil, deleted: nil, locked: nil
            )
            .retyped(as: NSManagedObject.self) == nil)
        let (some, none): (NSPersistentStoreRequest?, NSPersistentStoreRequest?) = (request, nil)
        #expect(some.retyped(to: NSDictionary.self).entityName == "Company")
        #expect(none.retyped(as: NSDictionary.self) == nil)
    }

    @Test("A compound predicate made by hand can be printed, compared and copied in a request")
    func compoundPredicates() throws {
        let (old, named) = (NSPredicate(format: "age > 30"), NSPredicate(format: "name != nil"))
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: [
                old, NSCompoundPredicate(orPredicateWithSubpredicates: [named, old]),
            ])
        #expect(request.predicate?.text == "age > 30 AND (name != nil OR age > 30)")
        #expect(request.predicate == NSPredicate(format: "age > 30 AND (name != nil OR age > 30)"))
        #expect(request.predicate != NSCompoundPredicate(andPredicateWithSubpredicates: [named]))
        let copy = try #require(request.predicate?.copy() as? NSPredicate)
        #expect(copy == request.predicate)
        #expect(copy.evaluate(with: ["age": 31, "name": "Ann"]))
        let block = NSPredicate(block: { object, _ in object as? Int == 1 })
        request.havingPredicate = NSCompoundPredicate(notPredicateWithSubpredicate: block)
        #expect(request.havingPredicate?.evaluate(with: 2) == true)
    }

    @Test("A copy is equal and independent")
    func copying() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Company")
        request.resultType = .dictionaryResultType
        request.fetchLimit = 3
        request.propertiesToFetch = ["name"]
        request.relationshipKeyPathsForPrefetching = ["staff"]
        let copy = try #require(request.copy() as? NSFetchRequest<NSDictionary>)
        #expect(copy == request)
        #expect(copy !== request)
        copy.fetchLimit = 4
        #expect(copy != request)
        #expect(request.fetchLimit == 3)
    }

    @Test("A subclass can configure itself in its initializer")
    func subclassing() {
        final class Recent: NSFetchRequest<NSManagedObject> {
            init(limit: Int) {
                super.init()
                entity = ModelFixtures.entity("Note")
                fetchLimit = limit
            }

            required init?(coder: NSCoder) { super.init(coder: coder) }
        }
        let request: NSFetchRequest<NSManagedObject> = Recent(limit: 2)
        #expect(request.fetchLimit == 2)
        #expect(request.entityName == "Note")
    }

    @Test("A request is restored from an archive")
    func coding() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
        request.fetchLimit = 9
        request.fetchOffset = 2
        request.includesSubentities = false
        request.returnsDistinctResults = true
        request.relationshipKeyPathsForPrefetching = ["staff", "staff.employer"]
        request.predicate = NSPredicate(format: "founded < %@", Date(timeIntervalSinceReferenceDate: 0.1))
        request.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: false, selector: .caseInsensitiveCompare)
        ]
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        request.encode(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let copy = try #require(NSFetchRequest<NSManagedObject>(coder: unarchiver))
        #expect(copy.entityName == "Company")
        #expect(copy.fetchLimit == 9)
        #expect(copy.fetchOffset == 2)
        #expect(!copy.includesSubentities)
        #expect(copy.returnsDistinctResults)
        #expect(copy.includesPropertyValues)
        #expect(copy.relationshipKeyPathsForPrefetching == ["staff", "staff.employer"])
        #expect(copy.predicate == request.predicate)
        #expect(copy.sortDescriptors == request.sortDescriptors)
        #expect(copy.havingPredicate == nil)
    }

    @Test("Templates are copied by substitution and immutable once the model is in use")
    func templates() async throws {
        let model = ModelFixtures.company()
        let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Company")
        template.fetchLimit = 7
        model.setFetchRequestTemplate(template, forName: "some")
        #expect(model.fetchRequestTemplate(forName: "some") === template)
        #expect(model.fetchRequestTemplatesByName.keys.sorted() == ["some"])
        _ = try model.freeze()
        let request = try #require(
            model.fetchRequestFromTemplate(withName: "some", substitutionVariables: [:]))
        request.fetchLimit = 8
        #expect(template.fetchLimit == 7)
        #expect(model.fetchRequestFromTemplate(withName: "none", substitutionVariables: [:]) == nil)
        await #expect(processExitsWith: .failure) {
            let model = ModelFixtures.company()
            model.setFetchRequestTemplate(NSFetchRequest(entityName: "Company"), forName: "some")
            _ = try model.freeze()
            model.fetchRequestTemplate(forName: "some")?.fetchLimit = 1
        }
    }
}
