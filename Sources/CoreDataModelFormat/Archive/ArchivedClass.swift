/// The superclasses of the classes in keyed archives, which an archive lists beside each class name.
enum ArchivedClass {
    /// Returns the names of the class and of its superclasses, up to NSObject.
    static func hierarchy(of name: String) -> [String] {
        var hierarchy = [name]
        var current = name
        while let parent = parents[current] {
            hierarchy.append(parent)
            current = parent
        }
        return hierarchy + ["NSObject"]
    }

    private static let parents = [
        "NSMutableString": "NSString",
        "NSMutableArray": "NSArray",
        "NSMutableSet": "NSSet",
        "NSMutableDictionary": "NSDictionary",
        "NSDecimalNumber": "NSNumber",
        "NSNumber": "NSValue",
        "NSKnownKeysDictionary1": "NSKnownKeysDictionary",
        "NSKnownKeysDictionary": "NSMutableDictionary",
        "NSKnownKeysMappingStrategy1": "NSKnownKeysMappingStrategy",
        "NSAttributeDescription": "NSPropertyDescription",
        "NSDerivedAttributeDescription": "NSAttributeDescription",
        "NSCompositeAttributeDescription": "NSAttributeDescription",
        "NSRelationshipDescription": "NSPropertyDescription",
        "NSFetchedPropertyDescription": "NSPropertyDescription",
        "NSExpressionDescription": "NSPropertyDescription",
        "NSFetchRequest": "NSPersistentStoreRequest",
        "NSComparisonPredicate": "NSPredicate",
        "NSCompoundPredicate": "NSPredicate",
        "NSTruePredicate": "NSPredicate",
        "NSFalsePredicate": "NSPredicate",
        "NSEqualityPredicateOperator": "NSPredicateOperator",
        "NSComparisonPredicateOperator": "NSPredicateOperator",
        "NSInPredicateOperator": "NSPredicateOperator",
        "NSBetweenPredicateOperator": "NSPredicateOperator",
        "NSStringPredicateOperator": "NSPredicateOperator",
        "NSSubstringPredicateOperator": "NSStringPredicateOperator",
        "NSLikePredicateOperator": "NSStringPredicateOperator",
        "NSMatchingPredicateOperator": "NSStringPredicateOperator",
        "NSCustomPredicateOperator": "NSPredicateOperator",
        "NSSelfExpression": "NSExpression",
        "NSVariableExpression": "NSExpression",
        "NSConstantValueExpression": "NSExpression",
        "NSKeyPathSpecifierExpression": "NSExpression",
        "NSFunctionExpression": "NSExpression",
        "NSKeyPathExpression": "NSFunctionExpression",
        "NSAggregateExpression": "NSExpression",
        "NSTernaryExpression": "NSExpression",
        "NSSubqueryExpression": "NSExpression",
        "NSFetchRequestExpression": "NSExpression",
        "NSSetExpression": "NSExpression",
        "NSAnyKeyExpression": "NSExpression",
    ]
}
