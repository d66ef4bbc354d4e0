import Foundation

extension StoreError {
    /// What the system said of a file, by its error number.
    package init(system code: Int32, _ message: String, path: String) {
        let kind: Kind =
            switch code {
            case ENOSPC, EDQUOT: .diskFull
            case EACCES, EPERM, EROFS: .readOnly
            default: .cannotCreate
            }
        self.init(kind, "\(message): \(String(cString: strerror(code)))", path: path)
    }
}
