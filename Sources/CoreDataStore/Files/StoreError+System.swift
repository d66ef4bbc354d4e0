package import CoreDataModelFormat
import Foundation

extension StoreError {
    /// What the system said of a file.
    package init(_ failure: PlainFile.Failure, _ message: String, path: String) {
        let kind: Kind =
            switch failure.code {
            case ENOSPC, EDQUOT: .diskFull
            case EACCES, EPERM, EROFS: .readOnly
            default: .cannotCreate
            }
        self.init(kind, "\(message): \(failure.text)", path: path)
    }

    /// What the system said of a file, by its error number.
    package init(system code: Int32, _ message: String, path: String) {
        self.init(PlainFile.Failure(code), message, path: path)
    }
}
