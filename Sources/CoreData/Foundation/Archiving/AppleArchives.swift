import CoreDataPredicates
public import Foundation

/// Which classes stand for Apple's in archives that were made on its systems.
enum AppleArchives {
    /// Cheap after the first time. Called wherever the framework sees a predicate, and before one is unarchived.
    static func prepare() { _ = registered }

    private static let registered: Void = {
        NSKeyedUnarchiver.setClass(NSComparisonPredicate.self, forClassName: "NSComparisonPredicate")
        NSKeyedUnarchiver.setClass(TruePredicate.self, forClassName: "NSTruePredicate")
        NSKeyedUnarchiver.setClass(FalsePredicate.self, forClassName: "NSFalsePredicate")
        for name in ArchivedExpression.forms.keys {
            NSKeyedUnarchiver.setClass(NSExpression.self, forClassName: name)
        }
        for (name, form) in ArchivedComparisonOperator.forms {
            NSKeyedUnarchiver.setClass(form, forClassName: name)
        }
    }()
}

/// More specific than Foundation's method, so that archives of Apple's are understood from the first one on.
extension NSKeyedUnarchiver {
    public static func unarchivedObject<Predicate>(
        ofClass cls: Predicate.Type, from data: Data
    ) throws -> Predicate? where Predicate: NSPredicate {
        AppleArchives.prepare()
        return try unarchivedObject(ofClasses: [cls], from: data) as? Predicate
    }

    public static func unarchivedObject<Expression>(
        ofClass cls: Expression.Type, from data: Data
    ) throws -> Expression? where Expression: NSExpression {
        AppleArchives.prepare()
        return try unarchivedObject(ofClasses: [cls], from: data) as? Expression
    }
}
