public import Foundation

extension Bundle {
    /// Makes the bundle with the resources of a class's module: the folder that the build makes for its
    /// target, beside the program.
    ///
    /// Where there is none, it is the bundle of the class's code, which on Linux is the program's.
    ///
    /// Unlike Apple's: an addition to Foundation, which ported sources have in the place of `Bundle(for:)`.
    public convenience init(of aClass: AnyClass) {
        let module = String(reflecting: aClass).prefix { $0 != "." }
        if let folder = ModelFiles.resourceFolder(of: String(module)), Bundle(url: folder) != nil {
            self.init(url: folder)!
        } else {
            self.init(for: aClass)
        }
    }
}
