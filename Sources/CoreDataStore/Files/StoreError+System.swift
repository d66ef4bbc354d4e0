package import CoreDataModelFormat
import Foundation

extension StoreError {
    /// Makes the error of a failed system call on a file.
    package init(_ failure: PlainFile.Failure, _ message: String, path: String) {
        let kind: Kind =
            switch failure.code {
            case ENOSPC, EDQUOT: .diskFull
            case EACCES, EPERM, EROFS: .readOnly
            default: .cannotCreate
            }
        self.init(kind, "\(message): \(failure.text)", path: path)
    }

    /// Makes the error of a failed system call on a file from its error number.
    package init(system code: Int32, _ message: String, path: String) {
        self.init(PlainFile.Failure(code), message, path: path)
    }
}
