package import CoreDataPredicates
package import Foundation

/// A keyed archive of one predicate, expression, sort descriptor or token, in Apple's form (mom §2, §4).
///
/// Reading ends for any data: cycles, deep nesting and unknown classes read as nil.
package struct ValueArchive {
    private let root: ArchivedObject

    /// The greatest number of references that are followed from the root. It exceeds the nesting that a
    /// predicate format allows.
    package static let deepest = 128

    package init(_ data: Data) throws {
        root = try KeyedArchive(data, longestPath: Self.deepest).root()
    }

    /// Returns whether the archive can be read, which is the case for the binary form and not for XML.
    package static func isReadable(_ data: Data) -> Bool { data.starts(with: Array("bplist".utf8)) }

    package var predicate: PredicateNode? { root.predicateNode }

    package var expression: ExpressionNode? { root.expressionNode }

    package var sortDescriptor: ArchivedSortDescriptor? {
        root.className == "NSSortDescriptor" ? ArchivedSortDescriptor(root) : nil
    }

    /// Returns a dictionary of whole numbers and strings in the root, which must be of the framework's class
    /// `name`, as strings; nil otherwise.
    package func texts(_ key: String, inClass name: String) -> [String: String]? {
        root.className.split(separator: ".").last == name[...] ? root.texts(key) : nil
    }
}

/// A sort descriptor with a key, as archives contain it.
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
