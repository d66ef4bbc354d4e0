public import Foundation

/// A type that a fetch request can return: objects, object IDs, dictionaries, numbers.
///
/// Unlike Apple's: `any NSFetchRequestResult` cannot be passed where a type that conforms to the protocol is
/// required.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSNumber: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}

/// The shape of a fetch's results.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    /// Apple's number for the shape.
    public let rawValue: UInt

    /// Makes a shape from Apple's number.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Managed objects.
    ///
    /// The default.
    public static var managedObjectResultType: Self { [] }
    /// Object IDs; no objects are made and no values read.
    public static var managedObjectIDResultType: Self { Self(rawValue: 1) }
    /// Dictionaries of the columns in `propertiesToFetch`, with stored values, without unsaved changes.
    public static var dictionaryResultType: Self { Self(rawValue: 2) }
    /// One `NSNumber`: the number of results.
    public static var countResultType: Self { Self(rawValue: 4) }
}
