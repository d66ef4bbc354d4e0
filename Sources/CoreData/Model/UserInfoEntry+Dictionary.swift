import CoreDataModelFormat
import CoreDataValues
import Foundation

extension UserInfoEntry {
    /// Returns the entries of user info as texts, sorted by key.
    static func entries(of userInfo: [AnyHashable: Any]?) -> [UserInfoEntry] {
        (userInfo ?? [:]).map { UserInfoEntry(key: "\($0.key)", value: "\($0.value)") }
            .sorted(by: \.key)
    }
}

extension [UserInfoEntry] {
    /// The entries as the dictionary of a description.
    var dictionary: [AnyHashable: Any] {
        Dictionary(map { (AnyHashable($0.key), $0.value as Any) }) { $1 }
    }
}
