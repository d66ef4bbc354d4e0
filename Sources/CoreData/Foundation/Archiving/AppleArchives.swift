import CoreDataPredicates
import Foundation

/// The classes that stand for Apple's in archives that were made on its systems.
enum AppleArchives {
    /// Registers the classes; after the first call it costs one check.
    ///
    /// Called where predicates, expressions and coordinators are made, since no earlier code runs in every
    /// program.
    static func prepare() { _ = registered }

    private static let registered: Void = {
        NSKeyedUnarchiver.setClass(NSComparisonPredicate.self, forClassName: "NSComparisonPredicate")
        NSKeyedUnarchiver.setClass(TruePredicate.self, forClassName: "NSTruePredicate")
        NSKeyedUnarchiver.setClass(FalsePredicate.self, forClassName: "NSFalsePredicate")
        for name in ArchivedExpression.forms.keys {
            NSKeyedUnarchiver.setClass(NSExpression.self, forClassName: name)
        }
        NSKeyedUnarchiver.setClass(NSFetchRequestExpression.self, forClassName: "NSFetchRequestExpression")
        for (name, form) in ArchivedComparisonOperator.forms {
            NSKeyedUnarchiver.setClass(form, forClassName: name)
        }
    }()
}
