package import CoreDataValues
package import Foundation

/// A dictionary as an object with keys; a missing key is null.
package final class KeyedDictionary: KeyedValues {
    package let dictionary: NSDictionary

    package init(_ dictionary: NSDictionary) {
        self.dictionary = dictionary
    }

    package var identity: AnyHashable { AnyHashable(dictionary) }
    package var rowReference: ObjectReference? { nil }
    package var unboxed: Any { dictionary }

    package func expressionValue(forKey key: String) -> ExpressionValue {
        ExpressionValue(boxing: dictionary.object(forKey: key))
    }
}
