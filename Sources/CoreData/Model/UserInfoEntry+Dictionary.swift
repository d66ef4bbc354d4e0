import CoreDataModelFormat
import Foundation

extension UserInfoEntry {
    /// The entries that are texts or print as one, by key.
    static func entries(of userInfo: [AnyHashable: Any]?) -> [UserInfoEntry] {
        (userInfo ?? [:]).map { UserInfoEntry(key: "\($0.key)", value: "\($0.value)") }
            .sorted { $0.key < $1.key }
    }
}

extension [UserInfoEntry] {
    /// As descriptions have it.
    var dictionary: [AnyHashable: Any] {
        Dictionary(map { (AnyHashable($0.key), $0.value as Any) }) { $1 }
    }
}
