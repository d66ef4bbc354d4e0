import Foundation
import Testing

@testable import CoreData

@Suite("Model descriptions")
struct ModelDescriptionTests {
    @Test("New descriptions have Apple's defaults")
    func defaults() {
        let attribute = NSAttributeDescription()
        #expect(attribute.isOptional)
        #expect(!attribute.isTransient)
        #expect(attribute.attributeType == .undefinedAttributeType)
        #expect(attribute.validationPredicates.isEmpty)
        #expect(attribute.validationWarnings.isEmpty)
        let relationship = NSRelationshipDescription()
        #expect(relationship.deleteRule == .nullifyDeleteRule)
        #expect(relationship.maxCount == 0)
        #expect(relationship.minCount == 0)
        #expect(relationship.isToMany)
        let entity = NSEntityDescription()
        #expect(entity.managedObjectClassName == "NSManagedObject")
        #expect(entity.name == nil)
        #expect(!entity.isAbstract)
        #expect(entity.indexes.isEmpty)
        #expect(NSCompositeAttributeDescription().attributeType == .compositeAttributeType)
    }

    @Test("The renaming identifier is the name until one is set")
    func renamingIdentifier() {
        let attribute = ModelFixtures.attribute("a", .stringAttributeType)
        #expect(attribute.renamingIdentifier == "a")
        attribute.renamingIdentifier = "old"
        #expect(attribute.renamingIdentifier == "old")
        let entity = ModelFixtures.entity("E")
        #expect(entity.renamingIdentifier == "E")
    }

    @Test(
        "The value class follows from the type",
        arguments: [
            (NSAttributeType.integer64AttributeType, "NSNumber" as String?),
            (.booleanAttributeType, "NSNumber"),
            (.decimalAttributeType, "NSDecimalNumber"), (.stringAttributeType, "NSString"),
            (.dateAttributeType, "NSDate"), (.binaryDataAttributeType, "NSData"),
            (.UUIDAttributeType, "NSUUID"), (.URIAttributeType, "NSURL"),
            (.transformableAttributeType, nil as String?),
        ])
    func valueClass(type: NSAttributeType, name: String?) {
        let attribute = ModelFixtures.attribute("a", type)
        #expect(attribute.attributeValueClassName == name)
        #expect(attribute.type.rawValue == type)
    }

    @Test("Entities, properties and elements know their owners")
    func links() throws {
        let model = ModelFixtures.company()
        let company = try #require(model.entitiesByName["Company"])
        #expect(company.managedObjectModel === model)
        #expect(company.attributesByName["name"]?.entity === company)
        let staff = try #require(company.relationshipsByName["staff"])
        #expect(staff.destinationEntity === model.entitiesByName["Employee"])
        #expect(
            staff.inverseRelationship === model.entitiesByName["Employee"]?.relationshipsByName["employer"])
        #expect(company.relationships(forDestination: staff.destinationEntity!) == [staff])
        let element = NSFetchIndexElementDescription(
            property: company.attributesByName["name"]!, collationType: .binary)
        let index = NSFetchIndexDescription(name: "byName", elements: [element])
        company.indexes = [index]
        #expect(index.entity === company)
        #expect(element.indexDescription === index)
        #expect(element.propertyName == "name")
        #expect(element.isAscending)
    }

    @Test("Subentities inherit properties and keep their own ones separate")
    func inheritance() throws {
        let model = ModelFixtures.company()
        let person = try #require(model.entitiesByName["Person"])
        let employee = try #require(model.entitiesByName["Employee"])
        #expect(employee.superentity === person)
        #expect(person.subentitiesByName["Employee"] === employee)
        #expect(Set(employee.propertiesByName.keys) == ["name", "salary", "employer"])
        #expect(employee.properties.map(\.name) == ["name", "salary", "employer"])
        #expect(employee.isKindOf(entity: person))
        #expect(!person.isKindOf(entity: employee))
        employee.properties = employee.properties + [ModelFixtures.attribute("room", .stringAttributeType)]
        #expect(person.properties.map(\.name) == ["name"])
        #expect(employee.ownProperties.map(\.name) == ["salary", "employer", "room"])
    }

    @Test("A model holds subentities that are not listed, and enumerates entities")
    func enumeration() {
        let parent = ModelFixtures.entity("Parent")
        let child = ModelFixtures.entity("Child", [ModelFixtures.attribute("a", .stringAttributeType)])
        parent.subentities = [child]
        let model = NSManagedObjectModel()
        model.entities = [parent]
        #expect(Set(model.map { $0.name }) == ["Parent", "Child"])
        #expect(child.managedObjectModel === model)
        #expect(child.map { $0.name } == ["a"])
    }

    @Test("Configurations are subsets by name")
    func configurations() throws {
        let model = ModelFixtures.company()
        let company = try #require(model.entitiesByName["Company"])
        model.setEntities([company], forConfigurationName: "Public")
        #expect(model.configurations == ["Public"])
        #expect(model.entities(forConfigurationName: "Public") == [company])
        #expect(model.entities(forConfigurationName: nil)?.count == 3)
        #expect(model.entities(forConfigurationName: "Nowhere") == nil)
    }

    @Test("Descriptions are equal by content")
    func equality() {
        let model = ModelFixtures.company()
        #expect(model == ModelFixtures.company())
        #expect(model.hash == ModelFixtures.company().hash)
        let other = ModelFixtures.company()
        other.entitiesByName["Company"]?.attributesByName["size"]?.defaultValue = 2
        #expect(model != other)
        #expect(model.entitiesByName["Company"] != other.entitiesByName["Company"])
        #expect(model.entitiesByName["Employee"] == other.entitiesByName["Employee"])
        let attribute = ModelFixtures.attribute("name", .stringAttributeType)
        #expect(attribute == ModelFixtures.attribute("name", .stringAttributeType))
        #expect(attribute != ModelFixtures.attribute("name", .dateAttributeType))
    }

    @Test("A copied model is equal, links its own descriptions and can be changed")
    func copying() throws {
        let model = ModelFixtures.company()
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = model.entitiesByName["Company"]
        model.setFetchRequestTemplate(request, forName: "all")
        model.setEntities([model.entitiesByName["Company"]!], forConfigurationName: "Public")
        _ = try model.freeze()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy == model)
        #expect(copy.entities.map(\.name) == model.entities.map(\.name))
        let company = try #require(copy.entitiesByName["Company"])
        let employee = try #require(copy.entitiesByName["Employee"])
        #expect(company !== model.entitiesByName["Company"])
        #expect(company.relationshipsByName["staff"]?.destinationEntity === employee)
        #expect(
            company.relationshipsByName["staff"]?.inverseRelationship
                === employee.relationshipsByName["employer"])
        #expect(employee.superentity === copy.entitiesByName["Person"])
        #expect(copy.fetchRequestTemplate(forName: "all")?.entity === company)
        #expect(copy.entities(forConfigurationName: "Public")?.first === company)
        company.name = "Firm"
        #expect(copy.entitiesByName["Firm"] === company)
        #expect(model.entitiesByName["Company"] != nil)
    }

    @Test("An entity that is copied alone is linked with its relatives in the model it is added to")
    func movingEntities() throws {
        let model = ModelFixtures.company()
        let copies = model.entities.filter { $0.superentity == nil }.map { $0.copy() as! NSEntityDescription }
        let other = NSManagedObjectModel()
        other.entities = copies
        let staff = try #require(other.entitiesByName["Company"]?.relationshipsByName["staff"])
        #expect(staff.destinationEntity === other.entitiesByName["Employee"])
        #expect(staff.inverseRelationship?.entity === other.entitiesByName["Employee"])
    }

    @Test("A validation rule without a warning traps")
    func unevenRules() async {
        await #expect(processExitsWith: .failure) {
            NSAttributeDescription().setValidationPredicates(
                [NSPredicate(value: true)], withValidationWarnings: [])
        }
    }
}
