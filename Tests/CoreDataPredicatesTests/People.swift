import CoreDataPredicates
import CoreDataValues
import Foundation

/// An object of the tests: keys with values, and a number as identity.
final class Person: KeyedValues, Sendable {
    let number: Int64
    let values: [String: ExpressionValue]

    init(number: Int64, values: [String: ExpressionValue]) {
        self.number = number
        self.values = values
    }

    var identity: AnyHashable { number }
    var rowReference: ObjectReference? { ObjectReference(entity: 1, key: number) }

    func expressionValue(forKey key: String) -> ExpressionValue { values[key] ?? .null }
}

func value(_ value: AttributeValue) -> ExpressionValue { .value(value) }

func people(_ members: [Person], ordered: Bool = false) -> ExpressionValue {
    .collection(members.map { .object($0) }, isOrdered: ordered)
}

/// Ann, aged 30, with two cars, and Bob, who has only friends.
enum People {
    static let red = Person(
        number: 10, values: ["color": value(.string("red")), "price": value(.integer(100)), "owner": .null])
    static let blue = Person(
        number: 11,
        values: ["color": value(.string("blue")), "price": value(.integer(250)), "owner": .null])

    static let ann = Person(
        number: 1,
        values: [
            "name": value(.string("Ann Éclair")), "age": value(.integer(30)), "height": value(.double(1.7)),
            "budget": value(.decimal(12.5)), "isActive": value(.boolean(true)),
            "born": value(.date(Date(timeIntervalSinceReferenceDate: 1000))), "flags": value(.integer(5)),
            "token": value(.uuid(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")!)),
            "cars": people([red, blue]), "orderedCars": people([red, blue], ordered: true),
            "empty": .collection([], isOrdered: false), "self": .null,
        ])

    static let bob = Person(
        number: 2, values: ["name": value(.string("bob")), "boss": .object(ann), "friends": people([ann])])
}
