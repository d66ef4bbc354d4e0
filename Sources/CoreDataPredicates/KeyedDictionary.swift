package import CoreDataValues
package import Foundation

/// A dictionary as an object with keys; a missing key gives null.
package final class KeyedDictionary: KeyedValues {
    package let dictionary: NSDictionary

    package init(_ dictionary: NSDictionary) {
        self.dictionary = dictionary
    }

    package var identity: AnyHashable { AnyHashable(dictionary) }
    package var rowReference: ObjectReference? { nil }
    package var unboxed: Any { dictionary }

    /// Returns the value for a key. A key that begins with `@` names a property of the dictionary itself.
    package func expressionValue(forKey key: String) -> ExpressionValue {
        switch key {
        case "@count": .value(.integer(Int64(dictionary.count)))
        case "@allKeys": ExpressionValue(boxing: NSArray(array: dictionary.allKeys))
        case "@allValues": ExpressionValue(boxing: NSArray(array: dictionary.allValues))
        default: ExpressionValue(boxing: dictionary.object(forKey: key))
        }
    }
}
