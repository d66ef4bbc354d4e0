import CoreData

/// `predicateFormat` without the warning that Foundation's declaration carries on Linux.
private protocol TextualPredicate {
    var predicateFormat: String { get }
}

extension NSPredicate: TextualPredicate {
    var text: String { (self as any TextualPredicate).predicateFormat }
}
