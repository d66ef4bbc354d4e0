@_exported import OpenCombine
@_exported import OpenCombineDispatch
@_exported import OpenCombineFoundation

public import Foundation

extension NotificationCenter {
    /// Under the name it has on Apple's systems.
    public func publisher(
        for name: Notification.Name, object: AnyObject? = nil
    ) -> NotificationCenter.OCombine.Publisher {
        ocombine.publisher(for: name, object: object)
    }
}
