import CoreDataModelFormat
import CoreDataPredicates
public import Foundation

extension NSKeyedUnarchiver {
    /// Returns the predicate in an archive made by this framework or Apple's.
    ///
    /// The method is more specific than Foundation's, and reads the archive itself: a damaged one is an
    /// error, where the unarchiver of Foundation on Linux ends the program.
    ///
    /// - Throws: `NSError` in `NSCocoaErrorDomain`: 4864 (`coderReadCorrupt`) for an archive that is damaged
    ///   or holds something else.
    public static func unarchivedObject<Predicate: NSPredicate>(
        ofClass cls: Predicate.Type, from data: Data
    ) throws -> Predicate? {
        try value(cls, from: data) { $0.predicate.map(NSPredicate.predicate(for:)) }
    }

    /// Returns the expression in an archive made by this framework or Apple's.
    ///
    /// See the method for predicates.
    ///
    /// - Throws: `NSError` in `NSCocoaErrorDomain`: 4864 (`coderReadCorrupt`) for an archive that is damaged
    ///   or holds something else.
    public static func unarchivedObject<Expression: NSExpression>(
        ofClass cls: Expression.Type, from data: Data
    ) throws -> Expression? {
        try value(cls, from: data) { $0.expression.map(NSExpression.expression(for:)) }
    }

    /// Returns the sort descriptor in an archive made by this framework or Apple's.
    ///
    /// See the method for predicates.
    ///
    /// - Throws: `NSError` in `NSCocoaErrorDomain`: 4864 (`coderReadCorrupt`) for an archive that is damaged
    ///   or holds something else.
    public static func unarchivedObject<Descriptor: NSSortDescriptor>(
        ofClass cls: Descriptor.Type, from data: Data
    ) throws -> Descriptor? {
        try value(cls, from: data) { archive in
            archive.sortDescriptor.flatMap {
                KeySortDescriptor($0.key, isAscending: $0.isAscending, $0.selector)
            }
        }
    }

    /// Returns the history token in an archive made by this framework.
    ///
    /// See the method for predicates.
    ///
    /// - Throws: `NSError` in `NSCocoaErrorDomain`: 4864 (`coderReadCorrupt`) for an archive that is damaged
    ///   or holds something else.
    public static func unarchivedObject<Token: NSPersistentHistoryToken>(
        ofClass cls: Token.Type, from data: Data
    ) throws -> Token? {
        try value(cls, from: data) { archive in
            archive.texts(NSPersistentHistoryToken.key, inClass: "NSPersistentHistoryToken")
                .flatMap(NSPersistentHistoryToken.init(texts:))
        }
    }

    private static func value<Value: NSObject>(
        _ type: Value.Type, from data: Data, _ read: (ValueArchive) -> NSObject?
    ) throws -> Value {
        guard ValueArchive.isReadable(data) else {
            AppleArchives.prepare()
            return try required(unarchivedObject(ofClasses: [type], from: data), type)
        }
        let archive: ValueArchive
        do {
            archive = try ValueArchive(data)
        } catch {
            throw NodeCoding.corrupt("\(error)")
        }
        return try required(read(archive), type)
    }

    private static func required<Value>(_ object: Any?, _ type: Value.Type) throws -> Value {
        guard let value = object as? Value else {
            throw NodeCoding.corrupt("The archive contains no readable \(type).")
        }
        return value
    }
}
