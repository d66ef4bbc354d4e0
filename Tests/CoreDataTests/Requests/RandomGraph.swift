import CoreData
import Foundation

/// People with every kind of awkward value, bosses, reports and friends.
enum RandomGraph {
    static let words = [
        "Ann", "ann", "ANN", "Zoë", "zoe", "Zo\u{65}\u{308}", "", "Bo", "bob", "Éric", "eric", "straße", "日本",
        "😀x",
        "o'b", "a_b", "a%b", "a*b", " ",
    ]

    static func stack(seed: UInt64, people count: Int) throws -> ModelStack {
        typealias F = ModelFixtures
        let person = F.entity(
            "Person",
            [
                F.attribute("id", .integer32AttributeType), F.attribute("age", .integer64AttributeType),
                F.attribute("weight", .doubleAttributeType), F.attribute("name", .stringAttributeType),
                F.attribute("nick", .stringAttributeType), F.attribute("born", .dateAttributeType),
                F.attribute("isActive", .booleanAttributeType),
            ])
        F.link(
            person, F.relationship("reports", .many, to: person), F.relationship("boss", .one, to: person))
        F.link(
            person, F.relationship("friends", .many, to: person),
            F.relationship("admirers", .many, to: person))
        let stack = try ModelStack([person])
        var random = SeededGenerator(seed: seed)
        var people: [NSManagedObject] = []
        for id in 0..<count {
            let person = stack.insert("Person", ["id": id])
            change(person, among: people, &random)
            people.append(person)
        }
        try stack.context.save()
        return stack
    }

    /// Gives a person other values, some of them nil.
    static func change(
        _ person: NSManagedObject, among people: [NSManagedObject], _ random: inout SeededGenerator
    ) {
        func value<Value>(_ values: [Value]) -> Value? {
            Int.random(in: 0..<5, using: &random) == 0 ? nil : values.randomElement(using: &random)
        }
        person.setValue(value([-3, 0, 1, 7, 20, 30]), forKey: "age")
        person.setValue(value([-0.5, 0, 2.5, 7, 20]), forKey: "weight")
        person.setValue(value(words), forKey: "name")
        person.setValue(value(words), forKey: "nick")
        let seconds: Double? = value([-5, 0, 0.5, 100, 4000])
        person.setValue(seconds.map(Date.init(timeIntervalSinceReferenceDate:)), forKey: "born")
        person.setValue(value([true, false]), forKey: "isActive")
        person.setValue(value(people), forKey: "boss")
        let friends = people.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
        person.setValue(NSSet(array: Array(friends)), forKey: "friends")
    }
}
