public import Foundation

/// What a fetch request can return.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSNumber: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}

/// The shape of a fetch's results.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    public static var managedObjectResultType: Self { [] }
    public static var managedObjectIDResultType: Self { Self(rawValue: 1) }
    public static var dictionaryResultType: Self { Self(rawValue: 2) }
    public static var countResultType: Self { Self(rawValue: 4) }
}
