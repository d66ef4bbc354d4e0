import Foundation

/// An ordered set that can be a member of sets.
///
/// Foundation on Linux compares ordered sets by their members but hashes them by their addresses; a set traps
/// on such members.
final class HashedOrderedSet: NSOrderedSet {
    init(_ members: [Any]) {
        var objects = members.map { $0 as AnyObject }
        super.init(objects: &objects, count: objects.count)
    }

    required convenience init(arrayLiteral elements: Any...) { self.init(elements) }

    /// Never called: archives name Foundation's class.
    required init?(coder: NSCoder) { nil }
    override var classForCoder: AnyClass { NSOrderedSet.self }

    override var hash: Int { count }
}
