package import CoreDataPredicates
package import Foundation

/// A keyed archive of one predicate, expression, sort descriptor or token, in the form of Apple's (mom §2, §4). Whatever is in
/// the file, reading it ends: circles, deep nesting and unknown classes make a value that is not understood, nil.
package struct ValueArchive {
    private let root: ArchivedObject

    /// More than a format can nest.
    package static let deepest = 128

    package init(_ data: Data) throws {
        root = try KeyedArchive(data, longestPath: Self.deepest).root()
    }

    /// Whether archives of this kind can be read; others are property lists in XML.
    package static func isReadable(_ data: Data) -> Bool { data.starts(with: Array("bplist".utf8)) }

    package var predicate: PredicateNode? { root.predicateNode }

    package var expression: ExpressionNode? { root.expressionNode }

    package var sortDescriptor: ArchivedSortDescriptor? {
        root.className == "NSSortDescriptor" ? ArchivedSortDescriptor(root) : nil
    }

    /// A dictionary of whole numbers in an object of a class of the framework.
    package func integers(_ key: String, inClass name: String) -> [String: Int64]? {
        root.className.split(separator: ".").last == name[...] ? root.integers(key) : nil
    }
}

/// A sort descriptor with a key, as archives hold it.
package struct ArchivedSortDescriptor: Sendable {
    package let key: String?
    package let isAscending: Bool
    package let selector: String?

    init(_ object: ArchivedObject) {
        key = object.string("NSKey")
        isAscending = object.flag("NSAscending")
        selector = object.string("NSSelector")
    }
}
