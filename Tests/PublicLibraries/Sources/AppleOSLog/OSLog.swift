@_exported public import AppleOS
